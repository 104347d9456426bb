import { expect } from 'chai';
import { flutterwave } from '../../../domain/providers/flutterwave/provider.ts';
import {
  monnify,
  settlementDay as monnifySettlementDay,
} from '../../../domain/providers/monnify/provider.ts';
import { paystack } from '../../../domain/providers/paystack/provider.ts';

// 2 March 2026 is a Monday. Lagos is an hour ahead of UTC.
describe('Paystack and Flutterwave', () => {
  const days: [captured: string, settlementDay: string, why: string][] = [
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
  for (const [captured, settlementDay, why] of days) {
    it(`pay out ${captured} on ${settlementDay}: ${why}`, () => {
      for (const { settlementTerms } of [paystack, flutterwave]) {
        for (const channel of ['card', 'bank_transfer', 'ussd', 'other', ''])
          expect(settlementTerms.settlementDay(new Date(captured), channel)).to.equal(
            settlementDay,
          );
      }
    });
  }

  it('deduct refunds from settlements, and list them', () => {
    for (const { settlementTerms, capabilities } of [paystack, flutterwave]) {
      expect(settlementTerms.deductsRefunds).to.equal(true);
      expect(capabilities.settlements).to.equal('list');
    }
  });
});

describe('Monnify', () => {
  const days: [captured: string, transfer: string, other: string, why: string][] = [
    ['2026-03-02T09:00:00Z', '2026-03-02', '2026-03-03', 'a Monday morning'],
    [
      '2026-03-02T20:59:59.999Z',
      '2026-03-02',
      '2026-03-03',
      'just before ten in the evening in Lagos',
    ],
    ['2026-03-02T21:00:00Z', '2026-03-03', '2026-03-03', 'at ten'],
    ['2026-03-02T23:00:00Z', '2026-03-03', '2026-03-04', 'already Tuesday in Lagos'],
    ['2026-03-06T09:00:00Z', '2026-03-06', '2026-03-09', 'Friday: others over the weekend'],
    ['2026-03-06T21:30:00Z', '2026-03-07', '2026-03-09', 'Friday after ten'],
    ['2026-03-07T09:00:00Z', '2026-03-07', '2026-03-09', 'Saturday: transfers know no weekend'],
    ['2026-03-08T21:30:00Z', '2026-03-09', '2026-03-09', 'Sunday after ten'],
    ['2026-07-31T20:30:00Z', '2026-07-31', '2026-08-03', 'no summer time: half past nine'],
    ['2026-12-31T22:00:00Z', '2027-01-01', '2027-01-01', 'the last evening of a year'],
  ];
  for (const [captured, transfer, other, why] of days) {
    it(`pays out ${captured} on ${transfer} if it came by transfer, else on ${other}: ${why}`, () => {
      expect(monnifySettlementDay(new Date(captured), 'bank_transfer')).to.equal(transfer);
      for (const channel of ['card', 'ussd', 'qr', 'mobile_money', 'other', ''])
        expect(monnifySettlementDay(new Date(captured), channel), channel).to.equal(other);
    });
  }

  it('deducts no refunds from settlements, which are found by their payments', () => {
    expect(monnify.settlementTerms.deductsRefunds).to.equal(false);
    expect(monnify.capabilities.settlements).to.equal('by_payment');
  });
});
