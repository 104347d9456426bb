import { expect } from 'chai';
import {
  readCapture,
  statusOf,
  unknownChannel,
} from '../../../../domain/providers/paystack/wire.ts';
import { thrownBy } from '../calls.ts';
import { reference, transaction } from './examples.ts';

const read = (overrides: Record<string, unknown> = {}) =>
  readCapture(transaction(overrides), 'verify');

describe('A transaction of Paystack', () => {
  it('has one of our states for each documented status, and is unknown with any other', () => {
    const states: [status: unknown, state: string][] = [
      ...['abandoned', 'ongoing', 'pending', 'processing', 'queued'].map(
        (status): [string, string] => [status, 'unpaid'],
      ),
      ...['success', 'reversed', 'reversal pending', 'reversal-pending', 'Success '].map(
        (status): [string, string] => [status, 'paid'],
      ),
      ['failed', 'declined'],
      ...['partially_paid', 'constructor', '', null, 7].map((status): [unknown, string] => [
        status,
        'unknown',
      ]),
    ];
    for (const [status, state] of states) {
      const own = typeof status === 'string' ? status.trim().toLowerCase() : '';
      expect(statusOf({ status }), `${status}`).to.deep.equal({ state, status: own });
    }
  });

  it('is read as a capture with all its fields', () => {
    expect(read()).to.deep.equal({
      providerPaymentId: '4099260516',
      reference,
      amountKobo: 500_000,
      feeKobo: 17_500,
      currency: 'NGN',
      channel: 'card',
      mode: 'test',
      createdAt: new Date('2026-03-02T09:14:24.000Z'),
      capturedAt: new Date('2026-03-02T09:15:02.000Z'),
    });
  });

  it('counts what was paid towards the charge, without a fee that the payer bore', () => {
    type Row = [what: string, paid: unknown, asked: unknown, fees: unknown, kobo: number[]];
    const rows: Row[] = [
      ['the merchant bears the fee', 500_000, 500_000, 17_500, [500_000, 17_500]],
      ['the payer bears the fee', 40_333, 30_050, 10_283, [30_050, 0]],
      ['the payer bears a fee that is not stated', 40_333, 30_050, null, [30_050]],
      ['underpaid', 20_000, 30_050, 300, [20_000, 300]],
      ['underpaid, by a fee that is not stated', 20_000, 30_050, null, [20_000]],
      ['overpaid', 40_000, 30_050, 600, [40_000, 600]],
      ['the asked amount is not stated', 30_050, null, 451, [30_050, 451]],
      ['only the amount is stated', 30_050, undefined, undefined, [30_050]],
      ['amounts as text', '30050', '30050', '451', [30_050, 451]],
      ['no fee', 30_050, 30_050, 0, [30_050, 0]],
    ];
    for (const [what, amount, requested_amount, fees, [amountKobo, feeKobo = null]] of rows)
      expect(read({ amount, requested_amount, fees }), what).to.include({ amountKobo, feeKobo });
    const onTop = (amount: number, fees: number | null) =>
      read({ amount, requested_amount: 30_050, fees }).payerFeeKobo;
    expect(onTop(40_333, 10_283), 'what the payer paid on top').to.equal(10_283);
    expect(onTop(40_333, null), 'a fee that is not stated').to.equal(10_283);
    expect([onTop(30_050, 451), onTop(40_000, 600)]).to.deep.equal([undefined, undefined]);
  });

  it('is unknown where its amount, fee or id is not clear', () => {
    const amounts = [null, undefined, '', 'abc', '300.50', 300.5, -1, '-1', true, [1], 1e20];
    const unclear: Record<string, unknown>[] = [
      ...amounts.map((amount) => ({ amount, requested_amount: null })),
      { fees: 'some' },
      ...[null, undefined, '', 'undefined', {}, 1.5].map((id) => ({ id })),
    ];
    for (const overrides of unclear) {
      expect(
        thrownBy(() => read(overrides)),
        JSON.stringify(overrides),
      ).to.include({
        kind: 'unknown',
        stage: 'verify',
      });
    }
  });

  it('is reversed once all of it went back, and not while that is under way', () => {
    expect(read({ status: 'reversed' })).to.include({ isReversed: true });
    for (const status of ['success', 'reversal pending', 'reversal-pending', 'failed'])
      expect(read({ status }), status).to.not.have.property('isReversed');
  });

  it('has one of our channels, or `other` and a note where the channel is not documented', () => {
    const channels: [channel: unknown, ours: string, unknown: string[]][] = [
      ['card', 'card', []],
      ['CARD ', 'card', []],
      ['apple_pay', 'card', []],
      ['bank_transfer', 'bank_transfer', []],
      ['dedicated_nuban', 'bank_transfer', []],
      ['ussd', 'ussd', []],
      ['qr', 'qr', []],
      ['mobile_money', 'mobile_money', []],
      ...['bank', 'direct_debit', 'eft', 'pos', 'capitec_pay', 'payattitude'].map(
        (channel): [unknown, string, string[]] => [channel, 'other', []],
      ),
      ...[null, undefined, 7].map((channel): [unknown, string, string[]] => [channel, 'other', []]),
      ['toString', 'other', ['channel "tostring"']],
      ['barter', 'other', ['channel "barter"']],
    ];
    for (const [channel, ours, unknown] of channels) {
      expect(read({ channel }).channel, `${channel}`).to.equal(ours);
      expect(unknownChannel({ channel }), `${channel}`).to.deep.equal(unknown);
    }
  });

  it('has times in UTC under two names, and none where they cannot be read', () => {
    const times = {
      ...{ paid_at: '2026-03-02T09:15:02.000', created_at: null },
      createdAt: '2026-03-02T10:14:24+01:00',
    };
    const [capturedAt, createdAt] = [
      new Date('2026-03-02T09:15:02Z'),
      new Date('2026-03-02T09:14:24Z'),
    ];
    expect(read(times)).to.deep.include({ capturedAt, createdAt });
    expect(read({ paid_at: undefined, paidAt: times.paid_at }).capturedAt).to.deep.equal(
      capturedAt,
    );
    expect(read({ paid_at: null, created_at: 'yesterday' })).to.include({
      capturedAt: null,
      createdAt: null,
    });
  });

  it('keeps another reference, currency or mode as stated, and an unstated one empty', () => {
    const foreign = { reference: 'REF-1', currency: 'USD', domain: 'live' };
    expect(read(foreign)).to.include({ reference: 'REF-1', currency: 'USD', mode: 'live' });
    const unstated = { reference: null, currency: undefined, domain: null };
    expect(read(unstated)).to.include({ reference: '', currency: '', mode: null });
  });

  it('has words of any length, of which the beginning is kept', () => {
    const long = 'x'.repeat(51);
    expect(statusOf({ status: long }).status).to.equal(long.slice(0, 50));
    expect(unknownChannel({ channel: long })).to.deep.equal([`channel "${long.slice(0, 50)}"`]);
    expect(read({ currency: long, domain: long })).to.include({
      ...{ currency: 'X'.repeat(10), mode: 'x'.repeat(10) },
    });
  });

  it('is read with metadata and authorization in any form', () => {
    for (const odd of ['', 0, null, '{"a":1}', { a: 1 }, [], undefined])
      expect(read({ metadata: odd, authorization: odd })).to.deep.equal(read());
  });
});
