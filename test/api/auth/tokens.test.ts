import { expect } from 'chai';
import { sha256Of } from '../../../domain/shared/sha256.ts';
import { auditOf } from '../../support/audit.ts';
import { DAY, MINUTE, SECOND } from '../../support/clock.ts';
import { expectContractHeaders, expectRefused } from '../../support/contract.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { runTwice } from '../../support/run-twice.ts';
import { useStack } from '../../support/stack.ts';
import { type Pair, refresh, revoke, signIn, statusWith } from '../../support/tokens.ts';

describe('A refresh token', () => {
  const stack = useStack({ workers: false });
  let first: Pair;
  beforeEach(async () => {
    await stack.sql`update members set disabled_at = null`;
    first = await signIn(stack, stack.tenant.owner);
  });

  const exchange = async ({ refresh_token }: Pair): Promise<Pair> => {
    const answer = await refresh(stack, refresh_token);
    expect(answer.status, answer.text).to.equal(200);
    return answer.json;
  };
  const refuse = async ({ refresh_token }: { refresh_token: string }) => {
    const refused = await refresh(stack, refresh_token);
    expectRefused(refused, 'unauthorized');
    expectContractHeaders(refused, null);
    return refused;
  };
  const access = ({ access_token }: Pair) => statusWith(stack, access_token);
  const familyOf = async (pair: Pair) => {
    const [row] = await stack.sql`select family_id, member_id from user_tokens t
      join token_families f on f.id = t.family_id where sha256 = ${sha256Of(pair.refresh_token)}`;
    return row;
  };

  it('is exchanged for the next pair, in the same shape, with the tenant header for unknown callers', async () => {
    const answer = await refresh(stack, first.refresh_token);
    expect(answer.status).to.equal(200);
    expectContractHeaders(answer, null);
    const { access_token: token, refresh_token: next, ...rest } = answer.json;
    expect(token)
      .to.match(/^hat_[0-9a-z]{40}$/)
      .and.not.equal(first.access_token);
    expect(next)
      .to.match(/^hrt_[0-9a-z]{40}$/)
      .and.not.equal(first.refresh_token);
    expect(rest).to.deep.equal({ token_type: 'Bearer', expires_in: 900 });
    expect(await access(answer.json)).to.equal(404);
  });

  it('works for as long as it is used within 30 days', async () => {
    let pair = first;
    for (let month = 0; month < 3; month++) {
      stack.clock.advance(30 * DAY - MINUTE);
      expect(await access(pair)).to.equal(401);
      pair = await exchange(pair);
      expect(await access(pair)).to.equal(404);
    }
    stack.clock.advance(30 * DAY);
    await refuse(pair);
  });

  it('answers the same pair again within 30 seconds while its successor is unused, with the time left', async () => {
    const next = await exchange(first);
    stack.clock.advance(29 * SECOND);
    const again = await writingNothing(stack, () => refresh(stack, first.refresh_token));
    expect(again.json).to.deep.equal({ ...next, expires_in: 871 });
    expect(await access(next)).to.equal(404);
    expect(await access(await exchange(next))).to.equal(404);
  });

  it('stores that pair sealed, until its successor is used', async () => {
    const next = await exchange(first);
    const { family_id: family } = await familyOf(first);
    const stored = () =>
      stack.sql<{ sha256: string; exchanged_for: string }>`select * from user_tokens
        where family_id = ${family} and exchanged_for is not null`;
    const [row] = await stored();
    expect(row!.exchanged_for)
      .not.to.include(next.access_token)
      .and.not.to.include(next.refresh_token);
    await exchange(next);
    expect((await stored()).map(({ sha256 }) => sha256)).to.deep.equal([
      sha256Of(next.refresh_token),
    ]);
  });

  it('answers ten simultaneous requests with the same pair', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => refresh(stack, first.refresh_token)),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(10).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
    const { family_id: family } = await familyOf(first);
    expect(await stack.count(`user_tokens where family_id = '${family}'`)).to.equal(4);
    expect(await access(answers[0]!.json)).to.equal(404);
  });

  it('revokes the token family when a used token is sent after 30 seconds', async () => {
    const next = await exchange(first);
    stack.clock.advance(31 * SECOND);
    expect(await access(next)).to.equal(404);
    await refuse(first);
    expect(await access(next)).to.equal(401);
    expect(await access(first)).to.equal(401);
    await refuse(next);
    const { family_id: family } = await familyOf(first);
    expect(await auditOf(stack, family)).to.deep.include({
      actor: 'system',
      action: 'member.signed_out',
      detail: 'A refresh token was used a second time: somebody may have stolen it.',
    });
  });

  it('leaves other sign-ins alone when it is stolen, or is of one that has ended', async () => {
    const [other, ended] = [
      await signIn(stack, stack.tenant.owner),
      await signIn(stack, stack.tenant.owner),
    ];
    await exchange(await exchange(first));
    await revoke(stack, ended.refresh_token);
    for (const pair of [first, ended]) await refuse(pair);
    expect(await access(other)).to.equal(404);
    await exchange(other);
  });

  it('refuses an access token, an unknown and a malformed refresh token', async () => {
    const others = [
      first.access_token,
      `hrt_${'0'.repeat(40)}`,
      `${first.refresh_token} `,
      first.refresh_token.toUpperCase(),
      'x',
    ];
    for (const token of others) await writingNothing(stack, () => refuse({ refresh_token: token }));
  });

  it('is no access token', async () => {
    expect(await statusWith(stack, first.refresh_token)).to.equal(401);
  });

  describe('revoked', () => {
    it('signs out: neither token is valid from the next request on', async () => {
      const [answer] = await runTwice(stack, () => revoke(stack, first.refresh_token));
      expect(answer.status).to.equal(200);
      expect(answer.json).to.deep.equal({ object: 'signed_out' });
      expectContractHeaders(answer, null);
      expect(await statusWith(stack, first.access_token)).to.equal(401);
      expectRefused(await refresh(stack, first.refresh_token), 'unauthorized');
    });

    it('accepts an older token of the same sign-in', async () => {
      const { json: next } = await refresh(stack, first.refresh_token);
      await revoke(stack, first.refresh_token);
      expect(await statusWith(stack, next.access_token)).to.equal(401);
    });

    it('answers the same for an unknown token, and changes nothing', async () => {
      for (const token of [`hrt_${'0'.repeat(40)}`, first.access_token, 'x']) {
        const answer = await writingNothing(stack, () => revoke(stack, token));
        expect([answer.status, answer.json]).to.deep.equal([200, { object: 'signed_out' }]);
      }
      expect(await statusWith(stack, first.access_token)).to.equal(404);
    });

    it('is recorded in the audit log once', async () => {
      for (let time = 0; time < 2; time++) await revoke(stack, first.refresh_token);
      const { family_id, member_id: actor } = await familyOf(first);
      expect(await auditOf(stack, family_id)).to.deep.equal([
        { actor, action: 'member.signed_in', detail: null },
        { actor, action: 'member.signed_out', detail: null },
      ]);
    });

    it('and a simultaneous refresh leave no valid token, whichever is first', async () => {
      const [, refreshed] = await Promise.all([
        revoke(stack, first.refresh_token),
        refresh(stack, first.refresh_token),
      ]);
      if (refreshed.status === 200)
        expect(await statusWith(stack, refreshed.json.access_token)).to.equal(401);
      else expectRefused(refreshed, 'unauthorized');
      expect(await statusWith(stack, first.access_token)).to.equal(401);
    });
  });
});
