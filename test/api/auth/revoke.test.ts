import { expect } from 'chai';
import { sha256Of } from '../../../domain/shared/sha256.ts';
import { auditOf } from '../../support/audit.ts';
import { expectContractHeaders, expectRefused } from '../../support/contract.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { runTwice } from '../../support/run-twice.ts';
import { useStack } from '../../support/stack.ts';
import { type Pair, refresh, revoke, signIn, statusWith } from '../../support/tokens.ts';

describe('POST /auth/revoke', () => {
  const stack = useStack({ workers: false });
  let pair: Pair;
  beforeEach(async () => {
    pair = await signIn(stack, stack.tenant.owner);
  });

  it('signs out: neither token is valid from the next request on', async () => {
    const [answer] = await runTwice(stack, () => revoke(stack, pair.refresh_token));
    expect(answer.status).to.equal(200);
    expect(answer.json).to.deep.equal({ object: 'signed_out' });
    expectContractHeaders(answer, null);
    expect(await statusWith(stack, pair.access_token)).to.equal(401);
    expectRefused(await refresh(stack, pair.refresh_token), 'unauthorized');
  });

  it('accepts an older token of the same sign-in', async () => {
    const { json: next } = await refresh(stack, pair.refresh_token);
    await revoke(stack, pair.refresh_token);
    expect(await statusWith(stack, next.access_token)).to.equal(401);
  });

  it('answers the same for an unknown token, and changes nothing', async () => {
    for (const token of [`hrt_${'0'.repeat(40)}`, pair.access_token, 'x']) {
      const answer = await writingNothing(stack, () => revoke(stack, token));
      expect([answer.status, answer.json]).to.deep.equal([200, { object: 'signed_out' }]);
    }
    expect(await statusWith(stack, pair.access_token)).to.equal(404);
  });

  it('is recorded in the audit log once', async () => {
    await revoke(stack, pair.refresh_token);
    await revoke(stack, pair.refresh_token);
    const [row] = await stack.sql<{ id: string; member_id: string }>`select id, member_id
      from token_families where id = (select family_id from user_tokens
      where sha256 = ${sha256Of(pair.refresh_token)})`;
    const actions = await auditOf(stack, row!.id);
    expect(actions).to.deep.equal([
      { actor: row!.member_id, action: 'member.signed_in', detail: null },
      { actor: row!.member_id, action: 'member.signed_out', detail: null },
    ]);
  });

  it('and a simultaneous refresh leave no valid token, whichever is first', async () => {
    const [, refreshed] = await Promise.all([
      revoke(stack, pair.refresh_token),
      refresh(stack, pair.refresh_token),
    ]);
    if (refreshed.status === 200)
      expect(await statusWith(stack, refreshed.json.access_token)).to.equal(401);
    else expectRefused(refreshed, 'unauthorized');
    expect(await statusWith(stack, pair.access_token)).to.equal(401);
  });
});
