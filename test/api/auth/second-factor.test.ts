import { expect } from 'chai';
import { generateSync } from 'otplib';
import { confirmTotp, prepareTotp } from '../../../domain/accounts/second-factor/second-factor.ts';
import { MINUTE } from '../../support/clock.ts';
import { expectError } from '../../support/contract.ts';
import { memberOf, type SignedIn } from '../../support/members.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack, type TestTenant } from '../../support/stack.ts';
import { statusWith, trySignIn } from '../../support/tokens.ts';

describe('POST /auth/token of a member with an authenticator', () => {
  let stack: Stack;
  let tenant: TestTenant;
  before(async () => {
    stack = await startStack({ workers: false });
  });
  after(() => stack[Symbol.asyncDispose]());
  beforeEach(async () => {
    tenant = await stack.newTenant();
  });
  afterEach(() => expectNoLeaks(stack));

  const signInWith = (code?: string) =>
    stack.api.post(
      '/auth/token',
      { ...tenant.owner, mode: 'test', ...(code === undefined ? {} : { code }) },
      { key: null },
    );

  /** Gives the Owner an authenticator; returns its codes, one for each moment, and recovery codes. */
  async function enrol(): Promise<{ code: () => string; recoveryCodes: string[] }> {
    const { db, inTx } = stack.context;
    const [member] = await db.query<{ id: string }>('select id from members where email = $1', [
      tenant.owner.email,
    ]);
    const holder = { tenantId: tenant.tenant_id, memberId: member!.id };
    const secret = await inTx((tx) => prepareTotp(tx, holder));
    const code = () => generateSync({ secret, epoch: Math.floor(stack.clock().getTime() / 1_000) });
    const recoveryCodes = await inTx((tx) => confirmTotp(tx, holder, code()));
    stack.clock.advance(MINUTE);
    return { code, recoveryCodes };
  }

  it('requires a code, and accepts each once', async () => {
    const { code, recoveryCodes } = await enrol();
    const missing = await writingNothing(stack, () => signInWith());
    expectError(missing, 422, 'validation_failed', ['code']);
    const right = code();
    const answer = await signInWith(right);
    expect(answer.status, answer.text).to.equal(200);
    expect(await statusWith(stack, answer.json.access_token)).to.equal(404);
    expectError(await signInWith(right), 422, 'validation_failed', ['code']);
    expect((await signInWith(recoveryCodes[0])).status).to.equal(200);
    expectError(await signInWith(recoveryCodes[0]), 422, 'validation_failed', ['code']);
  });

  it('signs in once with one code that is sent twice at the same moment', async () => {
    const { code } = await enrol();
    const answers = await Promise.all([signInWith(code()), signInWith(code())]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 422]);
  });

  it('says nothing of the code when the password is wrong', async () => {
    await enrol();
    const wrong = { ...tenant.owner, password: 'not this one' };
    expectError(await trySignIn(stack, wrong), 401, 'unauthorized');
  });

  it('leaves a code unread where the member has no authenticator', async () => {
    expect((await signInWith('123456')).status).to.equal(200);
  });

  describe('whose business demands one of everybody', () => {
    let owner: SignedIn;
    const demand = () =>
      stack.api.send('PATCH', '/business', { requires_second_factor: true }, { key: owner.token });
    beforeEach(async () => {
      owner = await memberOf(stack, tenant, 'owner');
    });

    it('refuses a member without, and ends the sign-in of an app without', async () => {
      const app = (await signInWith()).json.access_token;
      expect(await statusWith(stack, app)).to.equal(404);
      expect((await demand()).status).to.equal(200);
      expect(await statusWith(stack, app)).to.equal(401);
      expectError(await signInWith(), 409, 'invalid_state');
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
