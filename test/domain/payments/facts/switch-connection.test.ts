import { expect } from 'chai';
import { switchConnection } from '../../../../domain/payments/facts/switch-connection.ts';
import { SECOND } from '../../../support/clock.ts';
import { writingNothing } from '../../../support/row-counts.ts';
import { LIFETIME_MS, useLedger } from '../../ledger.ts';
import { accepted, chargeWithLostLink, recordNotice, refused, send } from '../../notices.ts';

describe('A queued attempt whose connection has an open breaker', () => {
  const ledger = useLedger(['provider_a', 'provider_b', 'provider_c']);

  const [a, b, c] = [0, 1, 2];
  const claiming = 'update attempts set tries = tries + 1 where id = $1 returning *';
  const claim = async (attemptId: string) => (await ledger.rows(claiming, attemptId))[0];
  const pass = async (attemptId: string, ...openBreakers: number[]) => {
    const attempt = await claim(attemptId);
    const isOpen = ({ id }: { id: string }) =>
      openBreakers.some((index) => ledger.connections[index] === id);
    return ledger.tx((tx) => switchConnection(tx, attempt, isOpen, 'breaker open'));
  };
  const attemptsOf = async (id: string) =>
    (await ledger.attempts(id)).map(({ slot, status }) => `${slot} ${status}`);

  it('moves to the next connection whose breaker is not open, under the same reference, at once', async () => {
    const { id, attemptId } = await ledger.newCharge();
    const [before] = await ledger.attempts(id);
    const jobs = await pass(attemptId, a, b);
    const [after] = await ledger.attempts(id);
    expect(after).to.include({
      ...{ slot: 'provider_c', connection_id: ledger.connections[c], status: 'queued' },
      reference: before!.reference,
    });
    expect(jobs).to.deep.equal([
      { queue: 'charge-create', id: attemptId, group: ledger.connections[c], dueAt: after!.due_at },
    ]);
    expect(after!.due_at!.getTime()).to.be.at.most(ledger.clock().getTime());
    expect(await ledger.timeline(id)).to.deep.equal(['attempt.passed_over']);
  });

  it('returns to a skipped connection once its breaker closes, after longer waits each time', async () => {
    const { id, attemptId } = await ledger.newCharge();
    await pass(attemptId, a);
    expect(await attemptsOf(id)).to.deep.equal(['provider_b queued']);
    await pass(attemptId, b);
    const [attempt] = await ledger.attempts(id);
    expect(attempt).to.include({ slot: 'provider_a', status: 'queued' });
    const waitMs = attempt!.due_at!.getTime() - ledger.clock().getTime();
    expect(waitMs).to.be.within(4 * SECOND, 5 * SECOND);
  });

  for (const why of ['breaker open', 'not reached'] as const)
    it(`waits for a minute at most, however often it moved (${why})`, async () => {
      const { attemptId } = await ledger.newCharge();
      const waits: number[] = [];
      for (let round = 0; round < 8; round++) {
        const attempt = await claim(attemptId);
        const isOwn = ({ id }: { id: string }) => id === attempt.connection_id;
        const [job] = await ledger.tx((tx) => switchConnection(tx, attempt, isOwn, why));
        waits.push((job!.dueAt!.getTime() - ledger.clock().getTime()) / SECOND);
      }
      expect(Math.max(...waits)).to.be.within(59, 60);
    });

  it('does not move to a connection that refused it, but may move to one that was skipped', async () => {
    const { id, attemptId } = await ledger.newCharge();
    await pass(attemptId, a);
    await recordNotice(ledger, attemptId, refused);
    expect(await attemptsOf(id), 'a was never called').to.deep.equal([
      'provider_b refused',
      'provider_a queued',
    ]);
    await pass((await ledger.attempts(id))[1]!.id, a);
    expect(await attemptsOf(id)).to.deep.equal(['provider_b refused', 'provider_c queued']);
    await recordNotice(ledger, (await ledger.attempts(id))[1]!.id, refused);
    expect(await attemptsOf(id)).to.deep.equal([
      'provider_b refused',
      'provider_c refused',
      'provider_a queued',
    ]);
    expect((await ledger.charge(id)).status).to.equal('initiated');
    await recordNotice(ledger, (await ledger.attempts(id))[2]!.id, refused);
    expect((await ledger.charge(id)).status, 'all refused').to.equal('failed');
  });

  it('moves too when it replaces a lost link, while the lost one is still checked', async () => {
    const { id, replacement } = await chargeWithLostLink(ledger);
    await pass(replacement.id, a);
    expect(await attemptsOf(id)).to.deep.equal(['provider_a lost', 'provider_b queued']);
    await send(ledger, replacement.id);
    await recordNotice(ledger, replacement.id, accepted);
    expect(await ledger.charge(id)).to.include({
      ...{ status: 'pending', slot: 'provider_b', connection_id: ledger.connections[b] },
    });
  });

  /** Where only the breaker of its own connection is open, unless others are named. */
  interface Stay {
    provider?: 'provider_a';
    given?(charge: { id: string; attemptId: string }): unknown;
    openBreakers?: number[];
  }
  const stays: Record<string, Stay> = {
    'while every other breaker is open too': { openBreakers: [a, b, c] },
    'when its slot was named': { provider: 'provider_a' },
    'when it may have been sent': { given: ({ attemptId }) => send(ledger, attemptId) },
    'when its charge is cancelled': { given: ({ id }) => ledger.requestCancel(id) },
    'after the end of its charge': { given: () => ledger.clock.advance(LIFETIME_MS) },
  };
  for (const [when, { given, openBreakers = [a], ...options }] of Object.entries(stays))
    it(`stays ${when}`, async () => {
      const charge = await ledger.newCharge(options);
      await given?.(charge);
      const before = await attemptsOf(charge.id);
      const switching = () => pass(charge.attemptId, ...openBreakers);
      expect(await writingNothing({ context: ledger }, switching)).to.deep.equal([]);
      expect(await attemptsOf(charge.id)).to.deep.equal(before);
    });

  it('skips a disabled connection', async () => {
    const { id, attemptId } = await ledger.newCharge();
    await ledger.whileDisabled(b, () => pass(attemptId, a));
    expect(await attemptsOf(id)).to.deep.equal(['provider_c queued']);
  });

  it('tries every other connection at once, in order, where its own is not reached, and then waits', async () => {
    const { id, attemptId } = await ledger.newCharge();
    const seen: [string, number][] = [];
    for (let round = 0; round < 4; round++) {
      const attempt = await claim(attemptId);
      const [job] = await ledger.tx((tx) =>
        switchConnection(tx, attempt, () => false, 'not reached'),
      );
      const waitMs = Math.max(0, job!.dueAt!.getTime() - ledger.clock().getTime());
      seen.push([(await ledger.attempts(id))[0]!.slot, Math.ceil(waitMs / SECOND)]);
    }
    expect(seen).to.deep.equal([
      ['provider_b', 0],
      ['provider_c', 0],
      ['provider_a', 15],
      ['provider_b', 30],
    ]);
    const [line] = await ledger.rows(
      `select detail from timeline_entries where charge_id = $1 and what = 'attempt.passed_over'`,
      id,
    );
    expect(line!.detail).to.include('provider_a, which could not be reached');
  });
});
