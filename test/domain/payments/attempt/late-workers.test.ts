import { expect } from 'chai';
import { queues } from '../../../../domain/jobs.ts';
import { checkAttemptsNow } from '../../../../domain/payments/attempt/check-attempts-now.ts';
import { claimUnasked } from '../../../../domain/payments/attempt/claim-unasked.ts';
import type { AttemptRow } from '../../../../domain/payments/attempt/row.ts';
import {
  bringChecksForward,
  checkAllAttemptsNow,
  markNotReached,
  markSending,
  markUnconfirmed,
  moveToConnection,
  watchAfterFailure,
} from '../../../../domain/payments/attempt/store.ts';
import { requestCancel } from '../../../../domain/payments/commands/cancel-charge.ts';
import { lockWithAttempts } from '../../../../domain/payments/facts/locked-charge.ts';
import { recordAttempt } from '../../../../domain/payments/facts/record-attempt.ts';
import type { Sql } from '../../../../domain/shared/sql.ts';
import type { Tx } from '../../../../domain/shared/tx.ts';
import { claimRow } from '../../../../workers/run-job.ts';
import { MINUTE, SECOND } from '../../../support/clock.ts';
import { whileHeld, withoutWaiting } from '../../../support/contention.ts';
import { LIFETIME_MS, useLedger } from '../../ledger.ts';
import {
  absent,
  chargeWithLostLink,
  openCharge,
  paid,
  recordNotice,
  unpaid,
} from '../../notices.ts';

describe('An attempt that two workers have', () => {
  const ledger = useLedger(['provider_a', 'provider_b']);
  const context = { context: ledger };

  const rowOf = async ({ id }: { id: string }) =>
    (await ledger.rows<AttemptRow>('select * from attempts where id = $1', id))[0]!;
  const claim = async (row: { id: string }) =>
    (await claimRow<AttemptRow>(ledger.db, 'charge-create', row, ledger.clock()))!;
  const claimedAttempt = async () => claim({ id: (await ledger.newCharge()).attemptId });
  const mark = async (attempt: AttemptRow, sql: Sql = ledger.db) => {
    const now = ledger.clock();
    const marked = await markSending(sql, [attempt], { now, untilAt: now, waits: true });
    return marked.size === 1;
  };
  const cancel = async (id: string) => {
    const { tenant_id: tenantId, mode } = await ledger.charge(id);
    const actor = { tenantId, mode, subjectId: 'key', memberId: null };
    return ledger.tx((tx) => requestCancel(tx, actor, id));
  };

  const meanwhile: Record<string, (claimed: AttemptRow) => Promise<unknown>> = {
    'another worker claimed it after its lease'(claimed) {
      ledger.clock.advance(queues['charge-create'].leaseMs);
      return claim(claimed);
    },
    async 'another worker claimed it after its lease and sends it'(claimed) {
      ledger.clock.advance(queues['charge-create'].leaseMs);
      expect(await mark(await claim(claimed))).to.equal(true);
    },
    'it turned out to be paid in part': (claimed) =>
      recordNotice(ledger, claimed.id, paid(claimed, { amountKobo: 100_000 })),
  };

  describe('is not sent by the second where meanwhile', () => {
    const more: typeof meanwhile = {
      ...meanwhile,
      async 'the merchant asked to cancel its charge'({ charge_id }) {
        await cancel(charge_id);
      },
      async 'its charge expired'() {
        ledger.clock.advance(LIFETIME_MS);
      },
    };
    for (const [title, happens] of Object.entries(more))
      it(title, async () => {
        const stale = await claimedAttempt();
        await happens(stale);
        await ledger.rows(`update attempts set due_at = 'infinity' where id = $1`, stale.id);
        const before = await rowOf(stale);
        expect(await mark(stale)).to.equal(false);
        expect(await rowOf(stale)).to.deep.equal(before);
      });

    it('another attempt paid its charge', async () => {
      const { lost, replacement } = await chargeWithLostLink(ledger);
      ledger.clock.advance(MINUTE);
      const stale = await claim(replacement);
      await recordNotice(ledger, lost.id, paid(lost));
      expect(await mark(stale)).to.equal(false);
    });

    it('the merchant cancels its charge, at the same moment', async () => {
      const stale = await claimedAttempt();
      const request = 'update charges set cancel_requested_at = $2 where id = $1';
      const marked = await whileHeld(
        context,
        (sql) => sql.query(request, [stale.charge_id, ledger.clock()]),
        () => [mark(stale)],
      );
      expect(marked).to.deep.equal([false]);
    });
  });

  it('is marked as sent at the moment of a cancellation, which waits and then leaves the charge unpaid, not failed', async () => {
    const claimed = await claimedAttempt();
    const { charge_id: id } = claimed;
    await whileHeld(
      context,
      async (sql) => expect(await mark(claimed, sql)).to.equal(true),
      () => [cancel(id)],
    );
    expect(await ledger.charge(id)).to.include({ status: 'initiated' });
  });

  it('stays unconfirmed when it is sent again', async () => {
    const claimed = await claimedAttempt();
    await mark(claimed);
    await markUnconfirmed(ledger.db, claimed);
    expect(await mark(claimed)).to.equal(true);
    expect(await rowOf(claimed)).to.include({ status: 'unconfirmed' });
  });

  const reports: Record<string, (claimed: AttemptRow) => Promise<unknown>> = {
    'that the provider was not reached': (claimed) => markNotReached(ledger.db, claimed),
    'that the outcome is not known': (claimed) => markUnconfirmed(ledger.db, claimed),
    'that it moves to another connection': (claimed) =>
      moveToConnection(ledger.db, claimed, {
        connectionId: ledger.connections[1]!,
        slot: 'provider_b',
        dueAt: ledger.clock(),
      }),
  };
  for (const [report, write] of Object.entries(reports))
    for (const [title, happens] of Object.entries(meanwhile))
      it(`keeps what is on record where ${title}, and the first says late ${report}`, async () => {
        const stale = await claimedAttempt();
        await happens(stale);
        const before = await rowOf(stale);
        await write(stale);
        expect(await rowOf(stale)).to.deep.equal(before);
      });

  const checks: Record<string, (tx: Tx, attempt: AttemptRow) => Promise<unknown>> = {
    'the payment audit': (tx, { connection_id: connectionId, reference, charge_id }) =>
      checkAttemptsNow(tx, { connectionId, references: [reference], chargeIds: [charge_id] }),
    'the decision on a review': (tx, { charge_id }) => checkAllAttemptsNow(tx, charge_id),
    'a request to cancel its charge': (tx, { charge_id }) =>
      bringChecksForward(tx, charge_id, tx.now),
    'the failure of its charge': (tx, { charge_id }) =>
      watchAfterFailure(tx, { id: charge_id, failure_cause: 'declined' }),
  };
  for (const [title, makeDue] of Object.entries(checks))
    it(`keeps the lease of the worker that sends it when ${title} makes checks due`, async () => {
      const claimed = await claimedAttempt();
      await mark(claimed);
      const before = await rowOf(claimed);
      await ledger.tx((tx) => makeDue(tx, claimed));
      expect(await rowOf(claimed)).to.deep.equal(before);
    });

  it('is not enqueued again where its check is due already', async () => {
    const { attempt } = await openCharge(ledger);
    const due = () =>
      ledger.tx(
        (tx) => checks['the payment audit']!(tx, attempt) as ReturnType<typeof recordNotice>,
      );
    expect(await due()).to.have.length(1);
    expect(await due()).to.deep.equal([]);
  });

  it('keeps a check that is due sooner when its charge is to be cancelled', async () => {
    const { id, attempt } = await openCharge(ledger);
    await ledger.tx((tx) =>
      bringChecksForward(tx, id, new Date(attempt.due_at!.getTime() + SECOND)),
    );
    expect(await rowOf(attempt)).to.deep.include({ due_at: attempt.due_at });
  });

  it('is not claimed while an answer about it is recorded', async () => {
    const { attempt } = await openCharge(ledger);
    const claimCheck = (sql: Sql) => claimRow(sql, 'charge-check', attempt, attempt.due_at!);
    await ledger.tx(async (tx) => {
      await lockWithAttempts(tx, { attemptId: attempt.id, paymentIds: [] });
      expect(await withoutWaiting(context, claimCheck)).to.equal(undefined);
    });
    expect(await claimCheck(ledger.db)).to.include({ tries: attempt.tries + 1 });
  });

  it('keeps the time of the later question when the answer to an earlier one is recorded last', async () => {
    const { attempt } = await openCharge(ledger);
    const [earlier, later] = [ledger.clock(), ledger.clock()];
    for (const askedAt of [later, earlier])
      await ledger.tx((tx) => recordAttempt(tx, attempt.id, { ...unpaid, askedAt } as never));
    expect((await rowOf(attempt)).verified_at).to.deep.equal(later);
  });

  it('stays open where its provider does not know it, while its link is payable', async () => {
    const { attempt } = await openCharge(ledger);
    await recordNotice(ledger, attempt.id, absent);
    expect(await rowOf(attempt)).to.include({ status: 'open' });
  });

  it('is asked about by one of two reads of its charge at one moment, without waiting', async () => {
    const { id } = await openCharge(ledger);
    const now = ledger.clock();
    await ledger.db.transaction(async (sql) => {
      expect(await claimUnasked(sql, id, now)).to.have.length(1);
      const late = await withoutWaiting(context, (second) => claimUnasked(second, id, now));
      expect(late).to.deep.equal([]);
    });
  });
});
