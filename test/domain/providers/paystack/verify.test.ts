import { expect } from 'chai';
import { errorOf, onTheWire } from '../wire.ts';
import { account, options, reference, transaction, verifyAs, verifyCall } from './given.ts';

describe('Paystack, asked what became of a payment', () => {
  onTheWire();

  const states: [status: unknown, state: string][] = [
    ['abandoned', 'unpaid'],
    ['ongoing', 'unpaid'],
    ['pending', 'unpaid'],
    ['processing', 'unpaid'],
    ['queued', 'unpaid'],
    ['failed', 'declined'],
    ['success', 'paid'],
    ['reversed', 'paid'],
    ['reversal pending', 'paid'],
    ['reversal-pending', 'paid'],
    ['Success ', 'paid'],
    ['partially_paid', 'unknown'],
    ['constructor', 'unknown'],
    ['', 'unknown'],
    [null, 'unknown'],
    [7, 'unknown'],
  ];
  for (const [status, state] of states) {
    it(`reads ${JSON.stringify(status)} as ${state}`, async () => {
      const verification = await verifyAs({ status });
      expect(verification).to.include({
        state,
        status: typeof status === 'string' ? status.trim().toLowerCase() : '',
      });
      expect(verification.captures).to.have.length(state === 'paid' ? 1 : 0);
    });
  }

  it('states the whole capture, and keeps the answer as evidence', async () => {
    const { captures, raw, failureMessage } = await verifyAs({});
    expect(captures).to.deep.equal([
      {
        providerPaymentId: '4099260516',
        reference,
        ...{ amountKobo: 500_000, feeKobo: 17_500, currency: 'NGN', channel: 'card', mode: 'test' },
        createdAt: new Date('2026-03-02T09:14:24.000Z'),
        capturedAt: new Date('2026-03-02T09:15:02.000Z'),
      },
    ]);
    expect(JSON.parse(raw).data).to.deep.equal(transaction());
    expect(failureMessage).to.equal(null);
  });

  it('gives the reason of a declined payment, in one plain line', async () => {
    expect(
      (await verifyAs({ status: 'failed', gateway_response: ' Insufficient\nfunds\u0000' }))
        .failureMessage,
    ).to.equal('Insufficient funds');
    for (const gateway_response of [null, '', 7]) {
      expect((await verifyAs({ status: 'failed', gateway_response })).failureMessage).to.equal(
        'The payment was declined.',
      );
    }
  });

  const amounts: [
    what: string,
    fields: Record<string, unknown>,
    amountKobo: number,
    feeKobo: number | null,
  ][] = [
    [
      'the merchant bears the fee',
      { amount: 500_000, requested_amount: 500_000, fees: 17_500 },
      500_000,
      17_500,
    ],
    [
      'the payer bears the fee',
      { amount: 40_333, requested_amount: 30_050, fees: 10_283 },
      30_050,
      0,
    ],
    [
      'the payer bears a fee not stated yet',
      { amount: 40_333, requested_amount: 30_050, fees: null },
      30_050,
      null,
    ],
    ['too little was paid', { amount: 20_000, requested_amount: 30_050, fees: 300 }, 20_000, 300],
    ['too much was paid', { amount: 40_000, requested_amount: 30_050, fees: 600 }, 40_000, 600],
    [
      'what was asked is not said',
      { amount: 30_050, requested_amount: null, fees: 451 },
      30_050,
      451,
    ],
    [
      'nothing but the amount is said',
      { amount: 30_050, requested_amount: undefined, fees: undefined },
      30_050,
      null,
    ],
    ['amounts are text', { amount: '30050', requested_amount: '30050', fees: '451' }, 30_050, 451],
    ['no fee is taken', { amount: 30_050, requested_amount: 30_050, fees: 0 }, 30_050, 0],
  ];
  for (const [what, fields, amountKobo, feeKobo] of amounts) {
    it(`counts what is the charge's where ${what}`, async () => {
      expect((await verifyAs(fields)).captures[0]).to.include({ amountKobo, feeKobo });
    });
  }

  for (const amount of [
    null,
    undefined,
    '',
    'abc',
    '300.50',
    300.5,
    -1,
    '-1',
    true,
    [30_050],
    1e20,
    Number.NaN,
  ]) {
    it(`does not guess at an amount of ${JSON.stringify(amount) ?? 'nothing'}`, async () => {
      expect(await errorOf(verifyAs({ amount, requested_amount: null }))).to.include({
        kind: 'unknown',
        stage: 'verify',
      });
    });
  }

  it('keeps ids of 64 bits exact, and takes none for an id that is missing', async () => {
    const text = JSON.stringify({ status: true, message: 'ok', data: transaction({ id: 1 }) });
    verifyCall().reply(200, text.replace('"id":1,', '"id":18446744073709551615,'), {
      'content-type': 'application/json',
    });
    expect((await account.verify(reference, options)).captures[0]!.providerPaymentId).to.equal(
      '18446744073709551615',
    );
    expect((await verifyAs({ id: '77' })).captures[0]!.providerPaymentId).to.equal('77');
    for (const id of [null, undefined, '', 'undefined', {}, 1.5])
      expect((await errorOf(verifyAs({ id }))).kind).to.equal('unknown');
  });

  const channels = {
    ...{
      card: 'card',
      apple_pay: 'card',
      bank_transfer: 'bank_transfer',
      dedicated_nuban: 'bank_transfer',
      ussd: 'ussd',
      qr: 'qr',
    },
    ...{
      mobile_money: 'mobile_money',
      bank: 'other',
      direct_debit: 'other',
      eft: 'other',
      'CARD ': 'card',
      toString: 'other',
    },
  };
  it('names the channel in our words, unknown ones as other', async () => {
    for (const [channel, ours] of Object.entries(channels))
      expect((await verifyAs({ channel })).captures[0]!.channel, channel).to.equal(ours);
    for (const channel of [null, undefined, 7])
      expect((await verifyAs({ channel })).captures[0]!.channel).to.equal('other');
  });

  it('reads times as UTC, under both of their names, and none where there is none', async () => {
    const [capture] = (
      await verifyAs({
        paid_at: '2026-03-02T09:15:02.000',
        created_at: null,
        createdAt: '2026-03-02T10:14:24+01:00',
      })
    ).captures;
    expect(capture).to.deep.include({
      capturedAt: new Date('2026-03-02T09:15:02Z'),
      createdAt: new Date('2026-03-02T09:14:24Z'),
    });
    const [timeless] = (await verifyAs({ paid_at: null, created_at: 'yesterday' })).captures;
    expect(timeless).to.deep.include({ capturedAt: null, createdAt: null });
  });

  it('tells another reference, currency or mode for what it is, and what is not stated as nothing', async () => {
    const [other] = (await verifyAs({ reference: 'REF-1', currency: 'USD', domain: 'live' }))
      .captures;
    expect(other).to.include({ reference: 'REF-1', currency: 'USD', mode: 'live' });
    const [silent] = (await verifyAs({ reference: null, currency: undefined, domain: null }))
      .captures;
    expect(silent).to.include({ reference: '', currency: '', mode: null });
  });

  it('is not disturbed by metadata and authorization in any of their forms', async () => {
    for (const metadata of ['', 0, null, '{"a":1}', { a: 1 }, []]) {
      for (const authorization of [{}, null, undefined])
        expect((await verifyAs({ metadata, authorization })).state).to.equal('paid');
    }
  });
});
