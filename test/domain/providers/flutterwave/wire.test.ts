import { expect } from 'chai';
import { captureOf } from '../../../../domain/providers/adapter/payments.ts';
import {
  transactionForm as form,
  windowSince,
} from '../../../../domain/providers/flutterwave/wire.ts';
import { describePaymentForm } from '../payment-form.ts';
import { reference, transaction } from './examples.ts';

const createdAt = new Date('2026-03-02T09:14:24Z');
const read = (fields: Record<string, unknown>) => captureOf(form, transaction(fields));
const unclearAmounts = [null, undefined, '', 'abc', '1e3', 300.555, -1, '-1', true, [300], 1e20];

describePaymentForm({
  ...{ provider: 'Flutterwave', form, payment: transaction },
  ...{ id: 'id', amounts: ['amount', 'charged_amount'] },
  states: {
    unpaid: ['pending'],
    paid: ['successful', 'reversed', 'refunded'],
    retrying: ['failed', 'cancelled'],
  },
  ...{ goneBack: ['reversed', 'refunded'], goingBack: [] },
  channels: {
    card: ['card', 'CARD', 'applepay', 'googlepay'],
    bank_transfer: ['bank_transfer', 'banktransfer'],
    ...{ ussd: ['ussd'], qr: ['nqr', 'qr'] },
    mobile_money: ['mobilemoneyng', 'mobilemoneyghana', 'mpesa'],
    other: [
      ...['account', 'internetbanking', 'account-ach-uk', 'enaira', 'opay', 'barter', 'credit'],
    ],
  },
  reason: {
    field: 'processor_response',
    unstated: { failed: 'The payment was declined.', cancelled: 'The payment was cancelled.' },
  },
  unread: ['meta', 'customer', 'card'],
  unclear: [
    ...unclearAmounts.map((amount) => ({ amount, charged_amount: amount })),
    ...['abc', -1, 99.999].map((charged_amount) => ({ charged_amount })),
  ],
  whole: {
    ...{ providerPaymentId: '288200108', reference, amountKobo: 500_000, feeKobo: 7_525 },
    ...{ currency: 'NGN', channel: 'card', mode: null, createdAt, capturedAt: createdAt },
  },
});

describe('A transaction of Flutterwave', () => {
  it('has its id as text, and no time where it cannot be read', () => {
    expect(read({ id: '77', created_at: 'yesterday' })).to.include({
      ...{ providerPaymentId: '77', createdAt: null, capturedAt: null },
    });
  });

  it('counts what was paid towards the charge, without a fee that the payer bore', () => {
    /** What was asked, charged, taken as a fee and settled, and a fee of the merchant's own. */
    type Amounts = [unknown, unknown, unknown, unknown, unknown?];
    type Row = [what: string, amounts: Amounts, amountKobo: number, feeKobo: number | null];
    const rows: Row[] = [
      ['the merchant bears the fee', [100, 100, 1.4, 98.6], 10_000, 140],
      ['tax and duty reduce what is settled', [2500, 2500, 35, 2462.37], 250_000, 3_763],
      ['nothing is settled yet', [100, 100, 1.4, 0], 10_000, 140],
      ['no fee is stated', [100, 100, null, undefined], 10_000, null],
      ['no fee', [100, 100, 0, 100], 10_000, 0],
      ['more is settled than was paid', [100, 100, 1, 101], 10_000, 0],
      ['the fee is no whole kobo', [12.34, 12.34, 0.17276, null], 1_234, 17],
      ['what is settled is no whole kobo', [12.34, 12.34, 70, 12.154282], 1_234, 19],
      ['the payer bears the fee', [100, 101.4, 1.4, 100], 10_000, 0],
      ['the payer bears a fee of a kobo', [100, 100.01, 0.01, 100], 10_000, 0],
      ['the payer bears it, no whole kobo', [12.34, 12.51276, 0.17276, null], 1_234, 0],
      ['the payer bears it, not the duty', [20_000, 20_280, 280, 19_950], 2_000_000, 5_000],
      ['the payer bears it and the tax', [100, 101.51, 1.4, 100], 10_000, 0],
      ['the payer bears a fee that is not stated', [100, 101.4, null, null], 10_000, null],
      ['underpaid', [100, 60, 0.84, 59.16], 6_000, 84],
      ['overpaid', [100, 160, 2.24, 157.76], 16_000, 224],
      ['overpaid by a kobo', [100, 100.01, 1.4, 98.61], 10_001, 140],
      ['amounts as text', ['100.50', '100.5', '1.41', '99.09'], 10_050, 141],
      ['the charged amount is not stated', [100, null, 1.4, 98.6], 10_000, 140],
      ['the merchant takes a fee of their own', [100, 100, 1.4, null, 2], 10_000, 340],
      ['no fee of their own is stated', [100, 100, 1.4, null, null], 10_000, 140],
      ['the payer bears one of two fees', [100, 101.4, 1.4, null, 2], 10_000, 200],
    ];
    for (const [what, amounts, amountKobo, feeKobo] of rows) {
      const [amount, charged_amount, app_fee, amount_settled, merchant_fee = 0] = amounts;
      const fields = { amount, charged_amount, app_fee, amount_settled, merchant_fee };
      expect(read(fields), what).to.include({ amountKobo, feeKobo });
    }
    const onTop = (charged_amount: unknown) =>
      read({ amount: 100, charged_amount, app_fee: 1.4, amount_settled: null }).payerFeeKobo;
    expect([101.4, 100, 160].map(onTop), 'what the payer paid on top').to.deep.equal([
      ...[140, undefined, undefined],
    ]);
  });

  it('keeps every kobo of decimal amounts', () => {
    const amounts: [amount: number, amountKobo: number][] = [
      [1.13, 113],
      [0.29, 29],
      [1_234_567.89, 123_456_789],
      [90_071_992_547_409.9, 9_007_199_254_740_990],
    ];
    for (const [amount, amountKobo] of amounts)
      expect(read({ amount, charged_amount: amount }).amountKobo).to.equal(amountKobo);
  });
});

describe('The days of a list query of Flutterwave', () => {
  it('are a day more on either side, and never end before they begin', () => {
    const [early, late] = [new Date('2026-03-02T23:30:00Z'), new Date('2026-03-04T09:20:00Z')];
    expect(windowSince(early, late)).to.deep.equal({ from: '2026-03-01', to: '2026-03-05' });
    expect(windowSince(late, early)).to.deep.equal({ from: '2026-03-03', to: '2026-03-05' });
  });
});
