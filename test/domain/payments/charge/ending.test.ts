import { expect } from 'chai';
import { hasEnded, isOver, isRetryable } from '../../../../domain/payments/charge/ending.ts';
import { type ChargeStatus, wasPaid } from '../../../../domain/payments/charge/transitions.ts';
import { chargeStatuses } from '../../../../domain/payments/entities/charge.ts';

const now = new Date('2026-03-02T10:00:00Z');
const tick = (ms: number) => new Date(now.getTime() + ms);
/** A charge whose end, and whose cancellation, are so many ticks away; null: it is not cancelled. */
const given = (endsIn: number, cancelledIn: number | null, status: ChargeStatus = 'pending') => ({
  ...{ status, retrying: false },
  expires_at: tick(endsIn),
  cancel_requested_at: cancelledIn === null ? null : tick(cancelledIn),
});

describe('The end of a charge', () => {
  it('has come at its time, or when it was cancelled, and not a tick earlier', () => {
    const ended = (endsIn: number, cancelledIn: number | null) =>
      hasEnded(given(endsIn, cancelledIn), now);
    expect([ended(1, null), ended(0, null), ended(-1, null)]).to.deep.equal([false, true, true]);
    expect([ended(9, 1), ended(9, 0), ended(0, 9)]).to.deep.equal([false, true, true]);
  });

  it('opens nothing new from its time on, or once somebody asked to cancel it', () => {
    const over = (endsIn: number, cancelledIn: number | null) =>
      isOver(given(endsIn, cancelledIn), now);
    expect([over(1, null), over(0, null), over(9, 1)]).to.deep.equal([false, true, true]);
  });

  it('matters to unpaid charges alone', () => {
    const unpaid = ['initiated', 'pending'];
    for (const status of chargeStatuses) {
      expect(hasEnded(given(-1, null, status), now), status).to.equal(unpaid.includes(status));
      expect(isOver(given(1, null, status), now), status).to.equal(!unpaid.includes(status));
    }
  });

  it('matters to a declined charge while its payer tries again', () => {
    const retried = (endsIn: number) => ({ ...given(endsIn, null, 'failed'), retrying: true });
    expect([isOver(retried(1), now), hasEnded(retried(1), now)]).to.deep.equal([false, false]);
    expect([isOver(retried(0), now), hasEnded(retried(0), now)]).to.deep.equal([true, true]);
  });

  it('and the cause of a failure say whether the payer may try again', () => {
    const declined = { ...given(1, null, 'failed'), failure_cause: 'declined', review: [] };
    expect(isRetryable(declined, now)).to.equal(true);
    const none: Partial<typeof declined>[] = [
      ...['refused', 'expired', 'cancelled'].map((failure_cause) => ({ failure_cause })),
      ...[{ expires_at: now }, { cancel_requested_at: now }, { retrying: true }],
      { review: ['underpaid'] as never[] },
      ...chargeStatuses.filter((status) => status !== 'failed').map((status) => ({ status })),
    ];
    for (const each of none)
      expect(isRetryable({ ...declined, ...each }, now), JSON.stringify(each)).to.equal(false);
  });

  it('is told from a payment: a charge that failed was never paid', () => {
    expect(chargeStatuses.filter(wasPaid)).to.deep.equal([
      'succeeded',
      'settled',
      'refunded',
      'disputed',
    ]);
  });
});
