import { expect } from 'chai';
import { captureOf } from '../../../../domain/providers/adapter/payments.ts';
import { transactionForm as form } from '../../../../domain/providers/paystack/wire.ts';
import { describePaymentForm } from '../payment-form.ts';
import { reference, transaction } from './examples.ts';

const capturedAt = new Date('2026-03-02T09:15:02Z');
const createdAt = new Date('2026-03-02T09:14:24Z');
const read = (fields: Record<string, unknown>) => captureOf(form, transaction(fields));
const unclearAmounts = [null, undefined, '', 'abc', '300.50', 300.5, -1, '-1', true, [1], 1e20];

describePaymentForm({
  ...{ provider: 'Paystack', form, payment: transaction, id: 'id', amounts: ['amount'] },
  states: {
    unpaid: ['abandoned', 'ongoing', 'pending', 'processing', 'queued'],
    paid: ['success', 'reversed', 'reversal pending', 'reversal-pending'],
    declined: ['failed'],
  },
  ...{ goneBack: ['reversed'], goingBack: ['reversal pending', 'reversal-pending'] },
  channels: {
    card: ['card', 'CARD', 'apple_pay'],
    bank_transfer: ['bank_transfer', 'dedicated_nuban'],
    ...{ ussd: ['ussd'], qr: ['qr'], mobile_money: ['mobile_money'] },
    other: ['bank', 'direct_debit', 'eft', 'pos', 'capitec_pay', 'payattitude'],
  },
  reason: { field: 'gateway_response', unstated: { failed: 'The payment was declined.' } },
  unread: ['metadata', 'authorization', 'customer', 'log'],
  unclear: [
    ...unclearAmounts.map((amount) => ({ amount, requested_amount: null })),
    ...[{ fees: 'some' }, { requested_amount: 'some' }],
  ],
  whole: {
    ...{ providerPaymentId: '4099260516', reference, amountKobo: 500_000, feeKobo: 17_500 },
    ...{ currency: 'NGN', channel: 'card', mode: 'test', createdAt, capturedAt },
  },
});

describe('A transaction of Paystack', () => {
  it('counts what was paid towards the charge, without a fee that the payer bore', () => {
    type Kobo = [amount: number, fee: number | null, payerFee?: number];
    const rows: [what: string, paid: unknown, asked: unknown, fees: unknown, kobo: Kobo][] = [
      ['the merchant bears the fee', 500_000, 500_000, 17_500, [500_000, 17_500]],
      ['the payer bears the fee', 40_333, 30_050, 10_283, [30_050, 0, 10_283]],
      ['the payer bears a fee that is not stated', 40_333, 30_050, null, [30_050, null, 10_283]],
      ['underpaid', 20_000, 30_050, 300, [20_000, 300]],
      ['underpaid, by a fee that is not stated', 20_000, 30_050, null, [20_000, null]],
      ['overpaid', 40_000, 30_050, 600, [40_000, 600]],
      ['the asked amount is not stated', 30_050, null, 451, [30_050, 451]],
      ['only the amount is stated', 30_050, undefined, undefined, [30_050, null]],
      ['amounts as text', '30050', '30050', '451', [30_050, 451]],
      ['no fee', 30_050, 30_050, 0, [30_050, 0]],
    ];
    for (const [what, amount, requested_amount, fees, [amountKobo, feeKobo, payerFee]] of rows) {
      const capture = read({ amount, requested_amount, fees });
      expect(capture, what).to.include({ amountKobo, feeKobo });
      expect(capture.payerFeeKobo, what).to.equal(payerFee);
    }
  });

  it('has times in UTC under two names, and none where they cannot be read', () => {
    const times = { paid_at: '2026-03-02T09:15:02.000', created_at: null };
    const created = { createdAt: '2026-03-02T10:14:24+01:00' };
    expect(read({ ...times, ...created })).to.deep.include({ capturedAt, createdAt });
    const paidAt = { paid_at: undefined, paidAt: times.paid_at };
    expect(read(paidAt)).to.deep.include({ capturedAt });
    expect(read({ paid_at: null })).to.deep.include({ createdAt, capturedAt: createdAt });
    const none = { createdAt: null, capturedAt: null };
    expect(read({ paid_at: null, created_at: 'yesterday' })).to.include(none);
  });

  it('states its mode as it is, or none', () => {
    expect(read({ domain: 'live' }).mode).to.equal('live');
    expect(read({ domain: null }).mode).to.equal(null);
    expect(read({ domain: 'x'.repeat(11) }).mode).to.equal('x'.repeat(10));
  });
});
