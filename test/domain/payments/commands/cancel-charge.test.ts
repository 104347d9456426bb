import { expect } from 'chai';
import { endedCharges, FIRST_END } from '../../../../domain/payments/attempt/ended-charges.ts';
import { requestCancel } from '../../../../domain/payments/commands/cancel-charge.ts';
import { expireWhenAnswered } from '../../../../domain/payments/facts/expire-charge.ts';
import { Problem } from '../../../../domain/shared/problems.ts';
import { HOUR, MINUTE, SECOND } from '../../../support/clock.ts';
import { LIFETIME_MS, useLedgerForEach } from '../../ledger.ts';
import {
  absent,
  accepted,
  linkLost,
  openCharge,
  paid,
  recordNotice,
  refused,
  send,
  unpaid,
} from '../../notices.ts';

const cancelled = {
  status: 'failed',
  failure_cause: 'cancelled',
  failure_message: 'The merchant cancelled the charge.',
};

describe('A request to cancel a charge', () => {
  const ledger = useLedgerForEach(['provider_a', 'provider_b']);

  const cancel = async (id: string) => {
    const { tenant_id: tenantId, mode } = await ledger.charge(id);
    return ledger.tx((tx) =>
      requestCancel(tx, { tenantId, mode, subjectId: 'key_1', memberId: null }, id),
    );
  };
  const problemOf = (work: Promise<unknown>) =>
    work.then(String, (error) => (error instanceof Problem ? error.code : String(error)));
  const statusOf = async (id: string) => (await ledger.charge(id)).status;
  it('fails the charge at once, with one event, if nothing was sent to a provider', async () => {
    const { id } = await ledger.newCharge();
    await cancel(id);
    expect(await ledger.charge(id)).to.include(cancelled);
    await cancel(id);
    expect(await ledger.timeline(id)).to.deep.equal(['charge.cancel_requested', 'charge.failed']);
    expect(await ledger.events(id)).to.deep.equal(['charge.failed']);
    const audit = 'select action, actor from audit_entries where subject_id = $1';
    expect(await ledger.rows(audit, id)).to.deep.equal([
      { action: 'charge.cancel_requested', actor: 'key_1' },
    ]);
  });

  it('fails the charge with the first answer to a later verify, not with an earlier answer or silence', async () => {
    const { id, attempt } = await openCharge(ledger);
    await recordNotice(ledger, attempt.id, unpaid);
    await cancel(id);
    expect(await statusOf(id)).to.equal('pending');
    ledger.clock.advance(2 * HOUR);
    await ledger.tx((tx) => expireWhenAnswered(tx, id));
    expect(await statusOf(id)).to.equal('pending');
    await recordNotice(ledger, attempt.id, unpaid);
    expect(await ledger.charge(id)).to.include(cancelled);
  });

  it('waits for an answer about every attempt that may have been sent', async () => {
    const { id, attemptId } = await ledger.newCharge();
    await send(ledger, attemptId);
    await recordNotice(ledger, attemptId, linkLost);
    const [, replacement] = await ledger.attempts(id);
    await send(ledger, replacement!.id);
    await cancel(id);
    await recordNotice(ledger, attemptId, absent);
    expect(await statusOf(id)).to.equal('initiated');
    await recordNotice(ledger, replacement!.id, accepted);
    expect(await statusOf(id)).to.equal('pending');
    await recordNotice(ledger, replacement!.id, unpaid);
    expect(await ledger.charge(id)).to.include(cancelled);
  });

  for (const [title, notice, status] of [
    ['a lost link is not replaced', linkLost, 'initiated'],
    ['no other provider is tried after a refusal', refused, 'failed'],
  ] as const) {
    it(`opens no new attempt: ${title}`, async () => {
      const { id, attemptId } = await ledger.newCharge();
      await send(ledger, attemptId);
      await cancel(id);
      await recordNotice(ledger, attemptId, notice);
      expect(await ledger.attempts(id)).to.have.length(1);
      expect(await statusOf(id)).to.equal(status);
    });
  }

  it('moves the next check to five seconds later, but never to a later time', async () => {
    const { id, attempt } = await openCharge(ledger);
    const dueAt = async () => (await ledger.attempts(id))[0]!.due_at!.getTime();
    await ledger.rows(
      'update attempts set due_at = $2 where id = $1',
      attempt.id,
      new Date(ledger.clock().getTime() + HOUR),
    );
    await cancel(id);
    const requestedAt = (await ledger.charge(id)).cancel_requested_at!.getTime();
    expect((await dueAt()) - requestedAt).to.equal(5 * SECOND);
    ledger.clock.advance(MINUTE);
    await cancel(id);
    expect(
      (await ledger.charge(id)).cancel_requested_at!.getTime(),
      'the first request counts',
    ).to.equal(requestedAt);
    expect((await dueAt()) - requestedAt).to.equal(5 * SECOND);
  });

  it('does not stop a payment that the answer reports', async () => {
    const { id, attempt } = await openCharge(ledger);
    await cancel(id);
    await recordNotice(ledger, attempt.id, paid(attempt));
    expect(await ledger.charge(id)).to.include({ status: 'succeeded', recovered: false });
    expect(await problemOf(cancel(id))).to.equal('invalid_state');
  });

  it('is refused while an underpayment waits for a decision', async () => {
    const { id, attempt } = await openCharge(ledger);
    await recordNotice(ledger, attempt.id, paid(attempt, { amountKobo: 1_000 }));
    expect(await problemOf(cancel(id))).to.equal('invalid_state');
    expect(await ledger.charge(id)).to.deep.include({
      status: 'pending',
      cancel_requested_at: null,
    });
  });

  it('leaves the checks in place when an underpayment comes after it', async () => {
    const { id, attempt } = await openCharge(ledger);
    await cancel(id);
    await recordNotice(ledger, attempt.id, paid(attempt, { amountKobo: 1_000 }));
    expect(await ledger.charge(id)).to.deep.include({ status: 'pending', review: ['underpaid'] });
    expect((await ledger.attempts(id))[0]!.due_at).to.be.greaterThan(ledger.clock());
    await recordNotice(ledger, attempt.id, paid(attempt));
    expect(await statusOf(id)).to.equal('succeeded');
  });

  it('is the failure cause where it came before the end of the charge', async () => {
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

  it('is completed by housekeeping once every attempt was verified', async () => {
    const overdue = async () =>
      (
        await endedCharges(
          { sql: ledger.db, now: ledger.clock() },
          'cancel_requested_at',
          FIRST_END,
          10,
        )
      ).ids;
    const { id, attempt } = await openCharge(ledger);
    await cancel(id);
    expect(await overdue()).to.deep.equal([]);
    await ledger.rows(
      'update attempts set verified_at = $2 where id = $1',
      attempt.id,
      ledger.clock(),
    );
    expect(await overdue()).to.deep.equal([id]);
    await ledger.tx((tx) => expireWhenAnswered(tx, id));
    expect(await ledger.charge(id)).to.include(cancelled);
    expect(await overdue()).to.deep.equal([]);
  });
});
