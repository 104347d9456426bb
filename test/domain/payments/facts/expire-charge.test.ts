import { expect } from 'chai';
import { endedCharges, FIRST_END } from '../../../../domain/payments/attempt/ended-charges.ts';
import { lockCharge } from '../../../../domain/payments/charge/store.ts';
import { requestCancel } from '../../../../domain/payments/commands/cancel-charge.ts';
import {
  expireTogether,
  expireWhenAnswered,
} from '../../../../domain/payments/facts/expire-charge.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../support/clock.ts';
import { until } from '../../../support/until.ts';
import { LIFETIME_MS, useLedgerForEach } from '../../ledger.ts';
import {
  absent,
  accepted,
  chargeWithLostLink,
  linkLost,
  openCharge,
  paid,
  recordNotice,
  refused,
  send,
  unpaid,
} from '../../notices.ts';

describe('The end of a charge', () => {
  const ledger = useLedgerForEach(['provider_a', 'provider_b']);

  const expire = (id: string) => ledger.tx((tx) => expireWhenAnswered(tx, id));
  const cancel = async (id: string) => {
    const { tenant_id: tenantId, mode } = await ledger.charge(id);
    return ledger.tx((tx) =>
      requestCancel(tx, { tenantId, mode, subjectId: 'key_1', memberId: null }, id),
    );
  };
  const refusalOf = (id: string) => cancel(id).then(String, ({ code }) => code);
  const statusOf = async (id: string) => (await ledger.charge(id)).status;
  const dueAt = async (id: string) => (await ledger.attempts(id))[0]!.due_at;
  const failed = (failure_cause: string, failure_message: string) => ({
    ...{ status: 'failed', failure_cause, failure_message },
  });

  for (const [title, column, end, over] of [
    [
      'when its time is over',
      'expires_at',
      async () => ledger.clock.advance(LIFETIME_MS),
      failed('expired', 'The payment was not made in time.'),
    ],
    [
      'when its merchant cancels it',
      'cancel_requested_at',
      cancel,
      failed('cancelled', 'The merchant cancelled the charge.'),
    ],
  ] as const)
    describe(title, () => {
      const overdue = async () =>
        (await endedCharges({ sql: ledger.db, now: ledger.clock() }, column, FIRST_END, 10)).ids;

      it('comes with the first answer after it, not with an earlier answer or silence', async () => {
        const { id, attempt } = await openCharge(ledger);
        await recordNotice(ledger, attempt.id, unpaid);
        await end(id);
        ledger.clock.advance(90 * DAY);
        expect(await overdue()).to.deep.equal([]);
        await expire(id);
        expect(await statusOf(id)).to.equal('pending');
        await recordNotice(ledger, attempt.id, unpaid);
        expect((await ledger.charge(id)).status).to.equal('failed');
      });

      it('waits for an answer about every attempt that may have been sent', async () => {
        const { id, lost, replacement } = await chargeWithLostLink(ledger);
        await send(ledger, replacement.id);
        await end(id);
        await recordNotice(ledger, lost.id, absent);
        expect(await statusOf(id)).to.equal('initiated');
        await recordNotice(ledger, replacement.id, accepted);
        expect(await statusOf(id)).to.equal('pending');
        await recordNotice(ledger, replacement.id, unpaid);
        expect(await ledger.charge(id)).to.include(over);
      });

      it('needs no answer about an attempt that was never sent', async () => {
        const { id } = await ledger.newCharge();
        await end(id);
        await expire(id);
        expect(await ledger.charge(id)).to.include(over);
        expect(await ledger.events(id)).to.deep.equal(['charge.failed']);
      });

      it('gives way to a payment that the last answer reports', async () => {
        const { id, attempt } = await openCharge(ledger);
        await end(id);
        await recordNotice(ledger, attempt.id, paid(attempt));
        expect(await ledger.charge(id)).to.include({ status: 'succeeded', recovered: false });
        expect(await refusalOf(id)).to.equal('invalid_state');
      });

      it('never comes to an underpaid charge, which is still checked: a person decides', async () => {
        const { id, attempt } = await openCharge(ledger);
        await end(id);
        await recordNotice(ledger, attempt.id, paid(attempt, { amountKobo: 1_000 }));
        await expire(id);
        expect(await overdue()).to.deep.equal([]);
        expect(await ledger.charge(id)).to.deep.include({
          ...{ status: 'pending', review: ['underpaid'] },
        });
        expect(await dueAt(id)).to.be.greaterThan(ledger.clock());
        await recordNotice(ledger, attempt.id, paid(attempt));
        expect(await statusOf(id)).to.equal('succeeded');
      });

      it('is found by housekeeping once every attempt was verified', async () => {
        const { id } = await openCharge(ledger);
        await end(id);
        expect(await overdue()).to.deep.equal([]);
        await ledger.rows('update attempts set verified_at = $1', ledger.clock());
        expect(await overdue()).to.deep.equal([id]);
        await expire(id);
        expect(await ledger.charge(id)).to.include(over);
        expect(await overdue()).to.deep.equal([]);
      });
    });

  it('does not come before its time', async () => {
    const { id, attempt } = await openCharge(ledger);
    ledger.clock.advance(LIFETIME_MS - MINUTE);
    await recordNotice(ledger, attempt.id, unpaid);
    await expire(id);
    expect(await statusOf(id)).to.equal('pending');
  });

  it('has the cause that came first', async () => {
    for (const [isFirst, cause] of [
      [true, 'cancelled'],
      [false, 'expired'],
    ] as const) {
      const { id, attempt } = await openCharge(ledger);
      if (isFirst) await cancel(id);
      ledger.clock.advance(LIFETIME_MS);
      if (!isFirst) await cancel(id);
      await recordNotice(ledger, attempt.id, unpaid);
      expect(await ledger.charge(id)).to.include({ status: 'failed', failure_cause: cause });
    }
  });

  it('is written for many charges together, without those that somebody else has locked', async () => {
    const ids: string[] = [];
    for (let made = 0; made < 3; made++) ids.push((await ledger.newCharge()).id);
    ledger.clock.advance(LIFETIME_MS);
    let left: string[] = [];
    await ledger.tx(async (other) => {
      await lockCharge(other, ids[1]!);
      await ledger.tx(async (tx) => {
        left = await expireTogether(tx, ids);
      });
    });
    expect(left).to.deep.equal([ids[1]]);
    expect(await Promise.all(ids.map(statusOf))).to.deep.equal(['failed', 'initiated', 'failed']);
    for (const id of [ids[0]!, ids[2]!])
      expect(await ledger.events(id)).to.deep.equal(['charge.failed']);
  });

  it('locks attempts in the order of their ids, as workers do that settle them', async () => {
    const ids: string[] = [];
    for (let made = 0; made < 2; made++) ids.push((await openCharge(ledger)).id);
    ledger.clock.advance(LIFETIME_MS);
    // The later charge's attempt comes first.
    await ledger.rows(
      `update attempts set verified_at = $1, due_at = null,
       id = 'att_' || (charge_id = $2)::int`,
      ledger.clock(),
      ids[0],
    );
    const locked = 'select from attempts where id = $1 for update nowait';
    let expiring: Promise<unknown> | undefined;
    await ledger.tx(async ({ sql }) => {
      await sql.query(locked, ['att_0']);
      expiring = ledger.tx((tx) => expireTogether(tx, ids));
      await until('it to wait', async () => {
        const waiting = await ledger.rows(
          `select from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock'`,
        );
        return waiting.length > 0;
      });
      await sql.query(locked, ['att_1']);
    });
    await expiring;
    expect(await Promise.all(ids.map(statusOf))).to.deep.equal(['failed', 'failed']);
  });

  for (const [title, notice, status] of [
    ['a lost link is not replaced', linkLost, 'initiated'],
    ['no other provider is tried after a refusal', refused, 'failed'],
  ] as const)
    it(`opens no new attempt once it is requested: ${title}`, async () => {
      const { id, attemptId } = await ledger.newCharge();
      await send(ledger, attemptId);
      await cancel(id);
      await recordNotice(ledger, attemptId, notice);
      expect(await ledger.attempts(id)).to.have.length(1);
      expect(await statusOf(id)).to.equal(status);
    });

  it('moves the next check to five seconds after the first request, but never to a later time', async () => {
    const { id } = await openCharge(ledger);
    const inAnHour = new Date(ledger.clock().getTime() + HOUR);
    await ledger.rows('update attempts set due_at = $1', inAnHour);
    await cancel(id);
    const { cancel_requested_at: requestedAt } = await ledger.charge(id);
    ledger.clock.advance(MINUTE);
    await cancel(id);
    expect((await ledger.charge(id)).cancel_requested_at).to.deep.equal(requestedAt);
    expect((await dueAt(id))!.getTime() - requestedAt!.getTime()).to.equal(5 * SECOND);
  });

  it('cannot be requested while an underpayment waits for a decision', async () => {
    const { id, attempt } = await openCharge(ledger);
    await recordNotice(ledger, attempt.id, paid(attempt, { amountKobo: 1_000 }));
    expect(await refusalOf(id)).to.equal('invalid_state');
    expect((await ledger.charge(id)).cancel_requested_at).to.equal(null);
  });
});
