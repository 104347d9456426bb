import { expect } from 'chai';
import { captureOf } from '../../../../domain/providers/adapter/payments.ts';
import { transactionForm as form, monnifyDate } from '../../../../domain/providers/monnify/wire.ts';
import { describePaymentForm } from '../payment-form.ts';
import { reference, transaction, transactionReference } from './examples.ts';

const capturedAt = new Date('2026-03-02T09:15:02Z');
const read = (fields: Record<string, unknown>) => captureOf(form, transaction(fields));
const unclearAmounts = [
  ...[null, undefined, '', 'abc', '0.00', 0, '300.505', 300.505, -1, '-1', true],
  ...[[30_050], '1,000.00'],
];

describePaymentForm({
  ...{ provider: 'Monnify', form, payment: transaction },
  ...{ id: 'transactionReference', amounts: ['amountPaid'] },
  states: {
    unpaid: ['PENDING'],
    paid: [
      ...['PAID', 'SUCCESSFUL', 'OVERPAID', 'PARTIALLY_PAID', 'UNDERPAID'],
      ...['REVERSED', 'REFUNDED'],
    ],
    declined: ['FAILED'],
    ended: ['EXPIRED', 'ABANDONED', 'CANCELLED'],
  },
  ...{ goneBack: ['REVERSED', 'REFUNDED'], goingBack: [] },
  channels: {
    ...{ card: ['CARD', 'card'], bank_transfer: ['ACCOUNT_TRANSFER'], ussd: ['USSD'] },
    other: ['PHONE_NUMBER', 'DIRECT_DEBIT', 'CASH'],
  },
  unread: [
    ...['metaData', 'cardDetails', 'accountPayments', 'customer', 'accountDetails', 'product'],
  ],
  unclear: unclearAmounts.map((amountPaid) => ({ amountPaid })),
  whole: {
    ...{ providerPaymentId: transactionReference, reference, mode: null, createdAt: null },
    ...{ amountKobo: 500_050, payableKobo: 500_050, feeKobo: 7_501 },
    ...{ currency: 'NGN', channel: 'card', capturedAt },
  },
});

describe('A transaction of Monnify', () => {
  it('has no time where none is stated', () => {
    expect(read({ paidOn: null }).capturedAt).to.equal(null);
  });

  it('counts what was paid; the fee is what is not settled, where that is stated', () => {
    const rows: [paid: unknown, settled: unknown, amountKobo: number, feeKobo: number | null][] = [
      ['100.00', '90.00', 10_000, 1_000],
      [100, 90, 10_000, 1_000],
      [1234.56, '1216.041', 123_456, 1_852],
      [5000.5, 4925.4925, 500_050, 7_501],
      ['999999999.99', '999997999.99', 99_999_999_999, 200_000],
      ['100', '100.00', 10_000, 0],
      ...['0.00', 0, null, undefined, '', 'soon', '100.01', -1].map(
        (settled): [string, unknown, number, null] => ['100.00', settled, 10_000, null],
      ),
    ];
    for (const [amountPaid, settlementAmount, amountKobo, feeKobo] of rows) {
      const fields = { amountPaid, settlementAmount };
      expect(read(fields), JSON.stringify(fields)).to.include({ amountKobo, feeKobo });
    }
    const partial = { paymentStatus: 'PARTIALLY_PAID', amountPaid: '20.00' };
    expect(read(partial).amountKobo, 'less than was asked').to.equal(2_000);
    const excessive = { paymentStatus: 'OVERPAID', amountPaid: '9000.00' };
    expect(read(excessive).amountKobo, 'more than was asked').to.equal(900_000);
    expect(read({ paymentStatus: 'REVERSED' }).feeKobo).to.equal(7_501);
    const reversed = { paymentStatus: 'REVERSED', settlementAmount: '0.00' };
    expect(read(reversed).feeKobo, 'taken back').to.equal(null);
  });

  it('states what its payer was asked for, where that is clear', () => {
    const borne = { amountPaid: '20.32', totalPayable: '20.32', settlementAmount: '20.00' };
    expect(read(borne)).to.include({ amountKobo: 2_032, payableKobo: 2_032, feeKobo: 32 });
    for (const totalPayable of [null, undefined, '', 'abc', -1, {}])
      expect(read({ totalPayable })).not.to.have.property('payableKobo');
  });
});

describe('A date of Monnify', () => {
  it('is in Lagos time unless it states a zone', () => {
    const dates = {
      '25/07/2022 11:20:20 AM': '2022-07-25T10:20:20.000Z',
      '17/11/2021 3:48:10 PM': '2021-11-17T14:48:10.000Z',
      '11/11/2021 02:29:00 PM': '2021-11-11T13:29:00.000Z',
      '01/02/2026 12:00:00 AM': '2026-01-31T23:00:00.000Z',
      '01/02/2026 12:00:00 PM': '2026-02-01T11:00:00.000Z',
      '1/2/2026 9:05:07 pm': '2026-02-01T20:05:07.000Z',
      '17/11/2021 3:48:10\u202fPM': '2021-11-17T14:48:10.000Z',
      '2021-11-17 11:28:42.615': '2021-11-17T10:28:42.615Z',
      '2021-04-14 16:30:01.0': '2021-04-14T15:30:01.000Z',
      '2021-11-17 00:28:42': '2021-11-16T23:28:42.000Z',
      '2021-11-17T11:28:42': '2021-11-17T10:28:42.000Z',
      '2021-11-17T11:28:42.615+0000': '2021-11-17T11:28:42.615Z',
      '2021-11-17T11:28:42+01:00': '2021-11-17T10:28:42.000Z',
      '2021-11-17T11:28:42Z': '2021-11-17T11:28:42.000Z',
    };
    for (const [text, utc] of Object.entries(dates))
      expect(monnifyDate(text)?.toISOString(), text).to.equal(utc);
  });

  it('is null where it is no date, or can be read in two ways', () => {
    const values = [null, undefined, 7, {}, '', 'yesterday', '2021', '2021-11-17'];
    const ambiguous = ['23/05/2019 06:21:33', '07/25/2022 11:20:20 AM'];
    const impossible = ['31/02/2026 1:00:00 PM', '17/11/2021 25:48:10 PM', '2021-13-01 00:00:00'];
    for (const value of [...values, ...ambiguous, ...impossible, '2021-11-17 25:00:00'])
      expect(monnifyDate(value), String(value)).to.equal(null);
  });
});
