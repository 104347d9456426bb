import { expect } from 'chai';
import {
  failureOf,
  readCapture,
  stateOf,
  statusOf,
  unknownChannel,
  windowSince,
} from '../../../../domain/providers/flutterwave/wire.ts';
import { thrownBy } from '../calls.ts';
import { reference, transaction } from './examples.ts';

const read = (overrides: Record<string, unknown> = {}) => readCapture(transaction(overrides));

describe('A transaction of Flutterwave', () => {
  it('has one of our states for each documented status, and is unknown with any other', () => {
    const states: Record<string, unknown[]> = {
      unpaid: ['pending'],
      retrying: ['failed', 'cancelled'],
      paid: ['successful', 'Successful ', 'reversed', 'refunded'],
      unknown: ['success', 'succeeded', 'constructor', '', null, 7],
    };
    for (const [state, statuses] of Object.entries(states)) {
      for (const status of statuses) {
        const own = typeof status === 'string' ? status.trim().toLowerCase() : '';
        expect(stateOf({ status }), `${status}`).to.equal(state);
        expect(statusOf({ status })).to.equal(own);
      }
    }
  });

  it('is read as a capture with all its fields', () => {
    const createdAt = new Date('2026-03-02T09:14:24.000Z');
    expect(read()).to.deep.equal({
      ...{ providerPaymentId: '288200108', reference, amountKobo: 500_000, feeKobo: 7_525 },
      ...{ currency: 'NGN', channel: 'card', mode: null, createdAt, capturedAt: createdAt },
    });
  });

  it('counts what was paid towards the charge, without a fee that the payer bore', () => {
    type Amounts = [asked: unknown, charged: unknown, appFee: unknown, settled: unknown];
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
    ];
    for (const [
      what,
      [amount, charged_amount, app_fee, amount_settled],
      amountKobo,
      feeKobo,
    ] of rows) {
      const fields = { amount, charged_amount, app_fee, amount_settled };
      expect(read(fields), what).to.include({ amountKobo, feeKobo });
    }
    const onTop = (charged_amount: unknown) =>
      read({ amount: 100, charged_amount, app_fee: 1.4, amount_settled: null }).payerFeeKobo;
    expect([101.4, 100, 160].map(onTop), 'what the payer paid on top').to.deep.equal([
      ...[140, undefined, undefined],
    ]);
    const twoFees = { amount: 100, app_fee: 1.4, merchant_fee: 2, amount_settled: null };
    expect(read({ ...twoFees, charged_amount: 100 }).feeKobo, "the merchant's own too").to.equal(
      340,
    );
    const oneFee = read({ ...twoFees, merchant_fee: null, charged_amount: 100 });
    expect(oneFee.feeKobo, 'no fee of their own').to.equal(140);
    expect(read({ ...twoFees, charged_amount: 101.4 }).feeKobo, 'one of two').to.equal(200);
  });

  it('is reversed once all of it went back', () => {
    for (const status of ['reversed', 'Refunded '])
      expect(read({ status }), status).to.include({ isReversed: true });
    for (const status of ['successful', 'pending', 'failed'])
      expect(read({ status }), status).to.not.have.property('isReversed');
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

  it('is unknown where its amount or id is not clear', () => {
    const amounts = [null, undefined, '', 'abc', '1e3', 300.555, -1, '-1', true, [300], 1e20];
    const unclear = [
      ...amounts.map((amount) => ({ amount, charged_amount: amount })),
      ...['abc', -1, 99.999].map((charged_amount) => ({ charged_amount })),
      ...[null, undefined, '', 'FLW-1', {}, 1.5].map((id) => ({ id })),
    ];
    for (const overrides of unclear)
      expect(
        thrownBy(() => read(overrides)),
        JSON.stringify(overrides),
      ).to.include({
        kind: 'unknown',
        stage: 'verify',
      });
    expect(read({ id: '77' }).providerPaymentId).to.equal('77');
  });

  it('gives the reason of a failed try in one line', () => {
    const reason = (status: string, processor_response: unknown) =>
      failureOf({ status, processor_response });
    expect(reason('failed', ' Insufficient\nfunds\u0000')).to.equal('Insufficient funds');
    for (const unstated of [null, '', 7]) {
      expect(reason('failed', unstated)).to.equal('The payment was declined.');
      expect(reason('cancelled', unstated)).to.equal('The payment was cancelled.');
    }
  });

  it('has one of our channels, or `other` and a note where the channel is not documented', () => {
    const channels: Record<string, unknown[]> = {
      card: ['card', 'CARD ', 'applepay', 'googlepay'],
      bank_transfer: ['bank_transfer', 'banktransfer'],
      ussd: ['ussd'],
      qr: ['nqr', 'qr'],
      mobile_money: ['mobilemoneyng', 'mobilemoneyghana', 'mpesa'],
      other: [
        ...['account', 'internetbanking', 'account-ach-uk', 'enaira', 'opay', 'barter', 'credit'],
        ...[null, undefined, 7],
      ],
    };
    for (const [channel, types] of Object.entries(channels)) {
      for (const payment_type of types) {
        expect(read({ payment_type }).channel, `${payment_type}`).to.equal(channel);
        expect(unknownChannel({ payment_type }), `${payment_type}`).to.deep.equal([]);
      }
    }
    for (const payment_type of ['carrier pigeon', 'tostring']) {
      expect(read({ payment_type }).channel).to.equal('other');
      expect(unknownChannel({ payment_type })).to.deep.equal([`channel "${payment_type}"`]);
    }
  });

  it('keeps another reference or currency as stated, and an unstated one empty', () => {
    const foreign = { tx_ref: 'REF-1', currency: 'USD' };
    expect(read(foreign)).to.include({ reference: 'REF-1', currency: 'USD' });
    const unstated = { tx_ref: null, currency: undefined, created_at: 'yesterday' };
    expect(read(unstated)).to.include({
      ...{ reference: '', currency: '', createdAt: null, capturedAt: null },
    });
  });

  it('has words of any length, of which the beginning is kept', () => {
    const long = 'x'.repeat(51);
    expect(statusOf({ status: long })).to.equal(long.slice(0, 50));
    expect(unknownChannel({ payment_type: long })).to.deep.equal([
      `channel "${long.slice(0, 50)}"`,
    ]);
    expect(read({ currency: long }).currency).to.equal('X'.repeat(10));
  });

  it('is read with its other fields in any form', () => {
    for (const odd of [null, '', '{"a":1}', { a: 1 }, [], undefined])
      expect(read({ meta: odd, customer: odd, card: odd })).to.deep.equal(read());
  });
});

describe('The days of a list query of Flutterwave', () => {
  it('are a day more on either side, and never end before they begin', () => {
    const [early, late] = [new Date('2026-03-02T23:30:00Z'), new Date('2026-03-04T09:20:00Z')];
    expect(windowSince(early, late)).to.deep.equal({ from: '2026-03-01', to: '2026-03-05' });
    expect(windowSince(late, early)).to.deep.equal({ from: '2026-03-03', to: '2026-03-05' });
  });
});
