import { expect } from 'chai';
import { generateSync } from 'otplib';
import { confirmTotp, prepareTotp } from '../../../domain/accounts/second-factor/second-factor.ts';
import { hashPassword, type PasswordCost } from '../../../domain/accounts/token/credentials.ts';
import { sha256Of } from '../../../domain/shared/sha256.ts';
import { MINUTE } from '../../support/clock.ts';
import { whileHeld } from '../../support/contention.ts';
import { expectContractHeaders, expectRefusal, expectRefused } from '../../support/contract.ts';
import { memberOf, type SignedIn } from '../../support/members.ts';
import { cheapPasswords } from '../../support/passwords.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';
import { signIn, statusWith, trySignIn } from '../../support/tokens.ts';

/** Slow enough for sign-ins to pile up behind each other. */
const SLOW: PasswordCost = { ...cheapPasswords, memory: 32_768 };

describe('POST /auth/token', () => {
  const stack = useStack({ workers: false, newTenants: true });
  let owner: { email: string; password: string };
  beforeEach(() => {
    owner = stack.tenant.owner;
  });

  const refuse = (who: { email: string; password: string }) =>
    writingNothing(stack, () => trySignIn(stack, who));

  it('answers a pair of tokens, with the tenant header for unknown callers', async () => {
    const answer = await trySignIn(stack, owner);
    expect(answer.status).to.equal(200);
    expectContractHeaders(answer, null);
    const { access_token: access, refresh_token: next, ...rest } = answer.json;
    expect(access).to.match(/^hat_[0-9a-z]{40}$/);
    expect(next).to.match(/^hrt_[0-9a-z]{40}$/);
    expect(rest).to.deep.equal({ token_type: 'Bearer', expires_in: 900 });
  });

  it('stores only the hashes of the tokens', async () => {
    const { access_token: access, refresh_token: next } = await signIn(stack, owner);
    const rows = await stack.sql<{ sha256: string }>`select * from user_tokens`;
    expect(rows.map(({ sha256 }) => sha256)).to.include.members([sha256Of(access), sha256Of(next)]);
    expect(JSON.stringify(rows)).not.to.include(access.slice(4)).and.not.to.include(next.slice(4));
  });

  it('accepts the e-mail address in any case', async () => {
    await signIn(stack, { ...owner, email: owner.email.toUpperCase() });
  });

  it('answers every failure the same way', async () => {
    const invited = await memberOf(stack, stack.tenant, 'viewer');
    const failures = [
      await refuse({ ...owner, password: `${owner.password}x` }),
      await refuse({ ...owner, password: owner.password.toLowerCase() }),
      await refuse({ email: 'nobody@test.example', password: owner.password }),
      await refuse({ email: `${invited.memberId}@test.example`, password: owner.password }), // has no password yet
    ];
    const other = await stack.newTenant();
    await stack.sql`update members set disabled_at = ${stack.clock()}
      where tenant_id = ${other.tenant_id}`;
    failures.push(await refuse(other.owner));
    for (const failure of failures) {
      expectRefused(failure, 'unauthorized');
      expectContractHeaders(failure, null);
      expect(failure.text).to.equal(failures[0]!.text);
    }
    expect(failures[0]!.json.error.message).to.match(/e-mail address or the password is wrong/);
  });

  it('takes as long for an unknown address as for a wrong password', async () => {
    stack.context.passwordCost = SLOW;
    const timed = async (email: string) => {
      const startedMs = performance.now();
      await trySignIn(stack, { email, password: 'not the password' });
      return performance.now() - startedMs;
    };
    const { memberId } = await memberOf(stack, stack.tenant, 'viewer');
    await stack.sql`update members set password_hash = ${await hashPassword('a password', SLOW)}
      where id = ${memberId}`;
    const fastest = async (email: string) => Math.min(await timed(email), await timed(email));
    expect(await fastest('nobody@test.example')).to.be.greaterThan(
      0.2 * (await fastest(`${memberId}@test.example`)),
    );
    stack.context.passwordCost = cheapPasswords;
  });

  for (const [title, change] of [
    ['the password is changed', `update members set password_hash = 'other' where tenant_id = $1`],
    ['the member is disabled', 'update members set disabled_at = now() where tenant_id = $1'],
  ] as const) {
    it(`gives no token when ${title} while the password is checked`, async () => {
      const before = await stack.count('token_families');
      const [refused] = await whileHeld(
        stack,
        (sql) => sql.query(change, [stack.tenant.tenant_id]),
        () => [trySignIn(stack, owner)],
      );
      expectRefused(refused!, 'unauthorized');
      expect(await stack.count('token_families')).to.equal(before);
    });
  }

  it('answers 503 with Retry-After when too many sign in at once, and works again after that', async () => {
    const { memberId } = await memberOf(stack, stack.tenant, 'viewer');
    const hash = await hashPassword('a password', SLOW);
    await stack.sql`update members set password_hash = ${hash} where id = ${memberId}`;
    const guess = () =>
      trySignIn(stack, { email: `${memberId}@test.example`, password: 'another one' });
    const answers = await Promise.all(Array.from({ length: 40 }, guess));
    const busy = answers.filter(({ status }) => status === 503);
    expect(answers.filter(({ status }) => status === 401).length + busy.length).to.equal(40);
    expect(busy.length).to.be.within(1, 18);
    for (const refused of busy) {
      expectRefused(refused, 'unavailable');
      expect(refused.headers.get('retry-after')).to.equal('5');
    }
    await signIn(stack, owner);
  });

  describe('of a member with an authenticator', () => {
    const signInWith = (code?: string) =>
      stack.api.post(
        '/auth/token',
        { ...owner, mode: 'test', ...(code === undefined ? {} : { code }) },
        { key: null },
      );

    async function enrol(): Promise<{ code: () => string; recoveryCodes: string[] }> {
      const { inTx } = stack.context;
      const [member] = await stack.sql`select id from members where email = ${owner.email}`;
      const holder = { tenantId: stack.tenant.tenant_id, memberId: member.id };
      const secret = await inTx((tx) => prepareTotp(tx, holder));
      const code = () =>
        generateSync({ secret, epoch: Math.floor(stack.clock().getTime() / 1_000) });
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
      const wrong = { ...owner, password: 'not this one' };
      expectRefused(await trySignIn(stack, wrong), 'unauthorized');
    });

    it('leaves a code unread where the member has no authenticator', async () => {
      expect((await signInWith('123456')).status).to.equal(200);
    });

    describe('whose business demands one of everybody', () => {
      let other: SignedIn;
      const demand = () => other.api.patch('/business', { requires_second_factor: true });
      beforeEach(async () => {
        other = await memberOf(stack, stack.tenant, 'owner');
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
        const elsewhere = await memberOf(stack, await stack.newTenant(), 'owner');
        await demand();
        expect(await statusWith(stack, app)).to.equal(404);
        expect(await statusWith(stack, elsewhere.token)).to.equal(404);
      });
    });
  });
});
