import { expect } from 'chai';
import { refundableOf } from '../../../../domain/payments/refund/refundable.ts';

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

describe('The refundable amount of a charge', () => {
  it('is the whole payment at first', () => {
    expect(left(0, 0, 0)).to.equal(500_000);
  });

  it('excludes refunds that are requested or under way', () => {
    expect(left(0, 0, 120_000)).to.equal(380_000);
  });

  it('excludes completed refunds, each counted once', () => {
    expect([left(200_000, 0, 0), left(0, 200_000, 0), left(200_000, 200_000, 0)]).to.deep.equal([
      300_000, 300_000, 300_000,
    ]);
  });

  it('excludes refunds made at the provider besides ours', () => {
    expect(left(350_000, 200_000, 100_000)).to.equal(50_000);
  });

  it('is no more than was paid, where less or more than asked was paid', () => {
    expect([left(0, 0, 100_000, 400_000), left(0, 0, 100_000, 900_000)]).to.deep.equal([
      300_000, 400_000,
    ]);
  });

  it('is never negative', () => {
    expect([left(500_000, 0, 0), left(400_000, 0, 200_000)]).to.deep.equal([0, 0]);
  });
});
