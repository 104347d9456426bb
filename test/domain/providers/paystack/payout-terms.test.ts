import { expect } from 'chai';
import { paystack } from '../../../../domain/providers/paystack/provider.ts';

describe("Paystack's terms", () => {
  // 2 March 2026 is a Monday. Lagos is an hour ahead of UTC.
  const days: [captured: string, paidOutOn: string, why: string][] = [
    ['2026-03-02T09:00:00Z', '2026-03-03', 'the next day'],
    ['2026-03-02T22:59:59.999Z', '2026-03-03', 'the last moment of Monday in Lagos'],
    ['2026-03-02T23:00:00Z', '2026-03-04', 'already Tuesday in Lagos'],
    ['2026-03-05T09:00:00Z', '2026-03-06', 'Thursday'],
    ['2026-03-06T09:00:00Z', '2026-03-09', 'Friday: over the weekend'],
    ['2026-03-07T09:00:00Z', '2026-03-09', 'Saturday'],
    ['2026-03-08T09:00:00Z', '2026-03-09', 'Sunday'],
    ['2026-03-08T23:00:00Z', '2026-03-10', 'already Monday in Lagos'],
    ['2026-07-31T22:30:00Z', '2026-08-03', 'no summer time: Friday still'],
    ['2026-12-31T12:00:00Z', '2027-01-01', 'public holidays are not known'],
  ];
  for (const [captured, paidOutOn, why] of days) {
    it(`pay out ${captured} on ${paidOutOn}: ${why}`, () => {
      for (const channel of ['card', 'bank_transfer', 'ussd', 'other', '']) {
        expect(paystack.settlementTerms.paidOutOn(new Date(captured), channel)).to.equal(paidOutOn);
      }
    });
  }

  it('deduct refunds from settlements, which are listed', () => {
    expect(paystack.settlementTerms.deductsRefunds).to.equal(true);
    expect(paystack.capabilities.settlements).to.equal('list');
  });
});
