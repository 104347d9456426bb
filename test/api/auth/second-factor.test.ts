import { expect } from 'chai';
import { generateSync } from 'otplib';
import { confirmTotp, prepareTotp } from '../../../domain/accounts/second-factor/second-factor.ts';
import { MINUTE } from '../../support/clock.ts';
import { expectRefusal, expectRefused } from '../../support/contract.ts';
import { memberOf, type SignedIn } from '../../support/members.ts';
import { useStack } from '../../support/stack.ts';
import { statusWith, trySignIn } from '../../support/tokens.ts';

describe('POST /auth/token of a member with an authenticator', () => {
  const stack = useStack({ workers: false, newTenants: true });

  const signInWith = (code?: string) =>
    stack.api.post(
      '/auth/token',
      { ...stack.tenant.owner, mode: 'test', ...(code === undefined ? {} : { code }) },
      { key: null },
    );

  async function enrol(): Promise<{ code: () => string; recoveryCodes: string[] }> {
    const { db, inTx } = stack.context;
    const [member] = await db.query<{ id: string }>('select id from members where email = $1', [
      stack.tenant.owner.email,
    ]);
    const holder = { tenantId: stack.tenant.tenant_id, memberId: member!.id };
    const secret = await inTx((tx) => prepareTotp(tx, holder));
    const code = () => generateSync({ secret, epoch: Math.floor(stack.clock().getTime() / 1_000) });
    const recoveryCodes = await inTx((tx) => confirmTotp(tx, holder, code()));
    stack.clock.advance(MINUTE);
    return { code, recoveryCodes };
  }

  it('requires a code, and accepts each once', async () => {
    const { code, recoveryCodes } = await enrol();
    await expectRefusal(stack, () => signInWith(), 'validation_failed', ['code']);
    const right = code();
    const answer = await signInWith(right);
    expect(answer.status, answer.text).to.equal(200);
    expect(await statusWith(stack, answer.json.access_token)).to.equal(404);
    expectRefused(await signInWith(right), 'validation_failed', ['code']);
    expect((await signInWith(recoveryCodes[0])).status).to.equal(200);
    expectRefused(await signInWith(recoveryCodes[0]), 'validation_failed', ['code']);
  });

  it('says nothing of the code when the password is wrong', async () => {
    await enrol();
    const wrong = { ...stack.tenant.owner, password: 'not this one' };
    expectRefused(await trySignIn(stack, wrong), 'unauthorized');
  });

  it('leaves a code unread where the member has no authenticator', async () => {
    expect((await signInWith('123456')).status).to.equal(200);
  });

  describe('whose business demands one of everybody', () => {
    let owner: SignedIn;
    const demand = () => owner.api.patch('/business', { requires_second_factor: true });
    beforeEach(async () => {
      owner = await memberOf(stack, stack.tenant, 'owner');
    });

    it('refuses a member without, and ends the sign-in of an app without', async () => {
      const app = (await signInWith()).json.access_token;
      expect(await statusWith(stack, app)).to.equal(404);
      expect((await demand()).status).to.equal(200);
      expect(await statusWith(stack, app)).to.equal(401);
      expectRefused(await signInWith(), 'invalid_state');
    });

    it('leaves the sign-ins of a member with one, and those of other businesses', async () => {
      const { code } = await enrol();
      const app = (await signInWith(code())).json.access_token;
      const other = await memberOf(stack, await stack.newTenant(), 'owner');
      await demand();
      expect(await statusWith(stack, app)).to.equal(404);
      expect(await statusWith(stack, other.token)).to.equal(404);
    });
  });
});
