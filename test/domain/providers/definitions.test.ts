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
    rejectsDuplicateReferences: true,
    paysAgain: 'never',
    idempotentRefunds: false,
    refundLists: 'of_payment',
    disputes: 'api',
    settlements: 'list',
    paymentLists: { paidLaterMs: 48 * 3_600_000 },
  },
  flutterwave: {
    rejectsDuplicateReferences: false,
    paysAgain: 'listed',
    idempotentRefunds: false,
    refundLists: 'of_account',
    disputes: 'api',
    settlements: 'list',
    paymentLists: { paidLaterMs: 24 * 3_600_000 },
  },
  monnify: {
    rejectsDuplicateReferences: true,
    paysAgain: 'unlisted',
    idempotentRefunds: true,
    refundLists: 'of_payment',
    disputes: 'none',
    settlements: 'by_payment',
    paymentLists: { paidLaterMs: 24 * 3_600_000 },
  },
};

describe('A provider definition', () => {
  // Any call fails the test.
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
