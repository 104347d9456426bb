import { expect } from 'chai';
import { hashPassword, type PasswordCost } from '../../../domain/accounts/token/credentials.ts';
import { sha256Of } from '../../../domain/shared/sha256.ts';
import { whileHeld } from '../../support/contention.ts';
import { expectContractHeaders, expectRefused } from '../../support/contract.ts';
import { memberOf } from '../../support/members.ts';
import { cheapPasswords } from '../../support/passwords.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';
import { signIn, trySignIn } from '../../support/tokens.ts';

/** Slow enough for sign-ins to pile up behind each other. */
const SLOW: PasswordCost = { ...cheapPasswords, memory: 65_536 };

describe('POST /auth/token', () => {
  const stack = useStack({ workers: false });
  let owner: { email: string; password: string };
  before(async () => {
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
    const rows = await stack.context.db.query<{ sha256: string }>('select * from user_tokens');
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
      const tenant = await stack.newTenant();
      const before = await stack.count('token_families');
      const [refused] = await whileHeld(
        stack,
        (sql) => sql.query(change, [tenant.tenant_id]),
        () => [trySignIn(stack, tenant.owner)],
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
  }).timeout(60_000);
});
