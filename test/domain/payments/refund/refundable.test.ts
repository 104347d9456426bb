import { expect } from 'chai';
import { refundableOf } from '../../../../domain/payments/refund/refundable.ts';

/** What is left of ₦5,000. */
const left = (
  refundedKobo: number,
  completedKobo: number,
  pendingKobo: number,
  paidKobo = 500_000,
) =>
  refundableOf(
    { amount_kobo: 500_000, refunded_kobo: refundedKobo },
    { paidKobo, completedKobo, pendingKobo },
  );

describe('What of a charge may still go back', () => {
  it('is all of it at first', () => {
    expect(left(0, 0, 0)).to.equal(500_000);
  });

  it('is less by what is asked for or on its way', () => {
    expect(left(0, 0, 120_000)).to.equal(380_000);
  });

  it('is less by what completed, counted once, whichever was recorded first', () => {
    expect([left(200_000, 0, 0), left(0, 200_000, 0), left(200_000, 200_000, 0)]).to.deep.equal([
      300_000, 300_000, 300_000,
    ]);
  });

  it('counts a refund made at the provider beside ours', () => {
    expect(left(350_000, 200_000, 100_000)).to.equal(50_000);
  });

  it('is no more than was paid, where that was less or more than was asked', () => {
    expect([left(0, 0, 100_000, 400_000), left(0, 0, 100_000, 900_000)]).to.deep.equal([
      300_000, 400_000,
    ]);
  });

  it('is never below nothing', () => {
    expect([left(500_000, 0, 0), left(400_000, 0, 200_000)]).to.deep.equal([0, 0]);
  });
});
