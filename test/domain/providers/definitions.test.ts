import { expect } from 'chai';
import type { Capabilities } from '../../../domain/providers/port/provider.ts';
import { providers } from '../../../domain/providers/registry.ts';
import { useNock } from './calls.ts';

/**
 * What each provider can do, written out: what follows a call without an answer depends on it. A
 * refund without a key of ours is never sent twice; a reference that may get a second link is
 * never sent again.
 */
const capabilities: Record<string, Capabilities> = {
  paystack: {
    ...{ rejectsDuplicateReferences: true, paysAgain: 'never' },
    ...{ idempotentRefunds: false, refundLists: 'of_payment' },
    ...{ disputes: 'api', settlements: 'list' },
    paymentLists: { paidLaterMs: 48 * 3_600_000 },
  },
  flutterwave: {
    ...{ rejectsDuplicateReferences: false, paysAgain: 'listed' },
    ...{ idempotentRefunds: false, refundLists: 'of_account' },
    ...{ disputes: 'api', settlements: 'list' },
    paymentLists: { paidLaterMs: 24 * 3_600_000 },
  },
  monnify: {
    ...{ rejectsDuplicateReferences: true, paysAgain: 'unlisted' },
    ...{ idempotentRefunds: true, refundLists: 'of_payment' },
    ...{ disputes: 'none', settlements: 'by_payment' },
    paymentLists: { paidLaterMs: 24 * 3_600_000 },
  },
};

describe('A provider definition', () => {
  useNock();

  const options = { timeoutMs: 1_000 };
  const open = (name: string) =>
    providers[name]!.open({
      credentials: {},
      baseUrl: 'https://provider.example',
      clock: () => new Date(0),
      mode: 'live',
    });

  it('is in this table', () => {
    expect(Object.keys(providers)).to.have.members(Object.keys(capabilities));
  });

  for (const [name, expected] of Object.entries(capabilities)) {
    it(`states what ${name} can do, and its account states the same`, () => {
      expect(providers[name]!.capabilities).to.deep.equal(expected);
      expect(open(name).capabilities).to.deep.equal(expected);
    });
  }

  for (const name of ['paystack', 'flutterwave']) {
    it(`lists the settlements of ${name}: none is found by a payment or read from a notification`, async () => {
      const { findSettlement, readSettlement } = open(name);
      expect(await findSettlement('4099260516', options)).to.equal(undefined);
      expect(readSettlement('{"event":"charge.success","data":{"id":1}}')).to.equal(undefined);
    });
  }

  it('leaves the lists of disputes and settlements of monnify empty, without a call', async () => {
    const { listDisputes, listSettlements } = open('monnify');
    const at = new Date('2026-03-02T09:15:00Z');
    const payment = { providerPaymentId: 'MNFY|1', reference: 'SV-1', capturedAt: at };
    for (const query of [{ payment }, { since: at }])
      expect(await listDisputes(query, options)).to.deep.equal([]);
    for (const cursor of [null, '7'])
      expect(await listSettlements({ from: at, to: at, cursor }, options)).to.deep.equal({
        ...{ rows: [], next: null },
      });
  });
});

// 2 March 2026 is a Monday. Lagos is an hour ahead of UTC.
describe('A payment is settled', () => {
  const dayOf = (name: string, capturedAt: string, channel: string) =>
    providers[name]!.settlementTerms.settlementDay(new Date(capturedAt), channel);
  const days: [captured: string, transfer: string, other: string, why: string][] = [
    ['2026-03-02T09:00:00Z', '2026-03-02', '2026-03-03', 'a Monday morning'],
    ['2026-03-02T20:59:59.999Z', '2026-03-02', '2026-03-03', 'just before ten in the evening'],
    ['2026-03-02T21:00:00Z', '2026-03-03', '2026-03-03', 'at ten'],
    ['2026-03-02T22:59:59.999Z', '2026-03-03', '2026-03-03', 'the last moment of Monday in Lagos'],
    ['2026-03-02T23:00:00Z', '2026-03-03', '2026-03-04', 'already Tuesday in Lagos'],
    ['2026-03-05T09:00:00Z', '2026-03-05', '2026-03-06', 'Thursday'],
    ['2026-03-06T09:00:00Z', '2026-03-06', '2026-03-09', 'Friday: others over the weekend'],
    ['2026-03-06T21:30:00Z', '2026-03-07', '2026-03-09', 'Friday after ten'],
    ['2026-03-07T09:00:00Z', '2026-03-07', '2026-03-09', 'Saturday: transfers know no weekend'],
    ['2026-03-08T21:30:00Z', '2026-03-09', '2026-03-09', 'Sunday after ten'],
    ['2026-03-08T23:00:00Z', '2026-03-09', '2026-03-10', 'already Monday in Lagos'],
    ['2026-07-31T20:30:00Z', '2026-07-31', '2026-08-03', 'no summer time: half past nine'],
    ['2026-07-31T22:30:00Z', '2026-08-01', '2026-08-03', 'no summer time: Friday still'],
    ['2026-12-31T22:00:00Z', '2027-01-01', '2027-01-01', 'public holidays are not known'],
  ];
  for (const [captured, transfer, other, why] of days) {
    it(`on ${other}, or at Monnify by transfer on ${transfer}: ${why}`, () => {
      expect(dayOf('monnify', captured, 'bank_transfer')).to.equal(transfer);
      for (const channel of ['card', 'ussd', 'other', ''])
        for (const name of ['monnify', 'paystack', 'flutterwave'])
          expect(dayOf(name, captured, channel), name).to.equal(other);
      for (const name of ['paystack', 'flutterwave'])
        expect(dayOf(name, captured, 'bank_transfer'), name).to.equal(other);
    });
  }

  it('less its refunds, but by Monnify, which takes them out of a wallet', () => {
    for (const { name, settlementTerms } of Object.values(providers))
      expect(settlementTerms.deductsRefunds, name).to.equal(name !== 'monnify');
  });
});
