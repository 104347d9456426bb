import { expect } from 'chai';
import { errorOf, useNock } from '../calls.ts';
import {
  account,
  good,
  listed,
  options,
  reference,
  row,
  transaction,
  triesCall,
  verifyAs,
  verifyCall,
} from './examples.ts';

describe('Flutterwave, asked what became of a payment', () => {
  useNock();

  const states: [status: unknown, state: string][] = [
    ['pending', 'unpaid'],
    ['failed', 'retrying'],
    ['cancelled', 'retrying'],
    ['successful', 'paid'],
    ['Successful ', 'paid'],
    ['success', 'unknown'],
    ['succeeded', 'unknown'],
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
        hasRefunds: false,
      });
      expect(verification.captures).to.have.length(state === 'paid' ? 1 : 0);
    });
  }

  it('states the whole capture, and keeps the answer as evidence', async () => {
    const { captures, raw, failureMessage, unknownWords } = await verifyAs({});
    const createdAt = new Date('2026-03-02T09:14:24.000Z');
    expect(captures).to.deep.equal([
      {
        providerPaymentId: '288200108',
        reference,
        ...{
          amountKobo: 500_000,
          feeKobo: 7_525,
          currency: 'NGN',
          channel: 'card',
          mode: null,
          createdAt,
          capturedAt: createdAt,
        },
      },
    ]);
    expect(JSON.parse(raw)).to.deep.equal(good(transaction()));
    expect({ failureMessage, unknownWords }).to.deep.equal({
      failureMessage: null,
      unknownWords: [],
    });
  });

  it('gives the reason of a try that failed, in one plain line', async () => {
    const failed = async (status: string, processor_response: unknown) =>
      (await verifyAs({ status, processor_response })).failureMessage;
    expect(await failed('failed', ' Insufficient\nfunds\u0000')).to.equal('Insufficient funds');
    for (const nothing of [null, '', 7]) {
      expect(await failed('failed', nothing)).to.equal('The payment was declined.');
      expect(await failed('cancelled', nothing)).to.equal('The payment was cancelled.');
    }
    expect(await failed('pending', 'Pending, Validation')).to.equal(null);
  });

  const amounts: [
    what: string,
    fields: Record<string, unknown>,
    amountKobo: number,
    feeKobo: number | null,
  ][] = [
    [
      'the merchant bears the fee',
      { amount: 100, charged_amount: 100, app_fee: 1.4, amount_settled: 98.6 },
      10_000,
      140,
    ],
    [
      'tax and duty are in what is settled',
      { amount: 2500, charged_amount: 2500, app_fee: 35, amount_settled: 2462.37 },
      250_000,
      3_763,
    ],
    [
      'what is settled is not stated',
      { amount: 100, charged_amount: 100, app_fee: 1.4, merchant_fee: 2, amount_settled: null },
      10_000,
      340,
    ],
    [
      'nothing is settled yet',
      { amount: 100, charged_amount: 100, app_fee: 1.4, amount_settled: 0 },
      10_000,
      140,
    ],
    [
      'no fee is stated',
      {
        amount: 100,
        charged_amount: 100,
        app_fee: null,
        merchant_fee: 0,
        amount_settled: undefined,
      },
      10_000,
      null,
    ],
    [
      'no fee is taken',
      { amount: 100, charged_amount: 100, app_fee: 0, amount_settled: 100 },
      10_000,
      0,
    ],
    [
      'more is settled than was paid',
      { amount: 100, charged_amount: 100, app_fee: 1, amount_settled: 101 },
      10_000,
      0,
    ],
    [
      'fees are fractions of a kobo',
      { amount: 12.34, charged_amount: 12.34, app_fee: 0.17276, amount_settled: null },
      1_234,
      17,
    ],
    [
      'what is settled is a fraction',
      { amount: 12.34, charged_amount: 12.34, amount_settled: 12.154282 },
      1_234,
      19,
    ],
    [
      'the payer bears the fee',
      { amount: 100, charged_amount: 101.4, app_fee: 1.4, amount_settled: 100 },
      10_000,
      0,
    ],
    [
      'the payer bears it, and its fraction',
      { amount: 12.34, charged_amount: 12.51276, app_fee: 0.17276, amount_settled: null },
      1_234,
      0,
    ],
    [
      'the payer bears it, not the duty',
      { amount: 20_000, charged_amount: 20_280, app_fee: 280, amount_settled: 19_950 },
      2_000_000,
      5_000,
    ],
    [
      'the payer bears it and the tax',
      { amount: 100, charged_amount: 101.51, app_fee: 1.4, amount_settled: 100 },
      10_000,
      0,
    ],
    [
      'the payer bears one of two fees',
      { amount: 100, charged_amount: 101.4, app_fee: 1.4, merchant_fee: 2, amount_settled: null },
      10_000,
      200,
    ],
    [
      'the payer bears a fee not stated yet',
      { amount: 100, charged_amount: 101.4, app_fee: null, amount_settled: null },
      10_000,
      null,
    ],
    [
      'too little was paid',
      { amount: 100, charged_amount: 60, app_fee: 0.84, amount_settled: 59.16 },
      6_000,
      84,
    ],
    [
      'too much was paid',
      { amount: 100, charged_amount: 160, app_fee: 2.24, amount_settled: 157.76 },
      16_000,
      224,
    ],
    [
      'a kobo too much was paid',
      { amount: 100, charged_amount: 100.01, app_fee: 1.4, amount_settled: 98.61 },
      10_001,
      140,
    ],
    [
      'amounts are text',
      { amount: '100.50', charged_amount: '100.5', app_fee: '1.41', amount_settled: '99.09' },
      10_050,
      141,
    ],
    [
      'what was charged is not said',
      { amount: 100, charged_amount: null, app_fee: 1.4, amount_settled: 98.6 },
      10_000,
      140,
    ],
  ];
  for (const [what, fields, amountKobo, feeKobo] of amounts) {
    it(`counts what is the charge's where ${what}`, async () => {
      expect((await verifyAs(fields)).captures[0]).to.include({ amountKobo, feeKobo });
    });
  }

  it('keeps every kobo of amounts that are numbers with decimals', async () => {
    for (const [amount, amountKobo] of [
      [1.13, 113],
      [0.29, 29],
      [1_234_567.89, 123_456_789],
      [90_071_992_547_409.9, 9_007_199_254_740_990],
    ] as const) {
      expect(
        (await verifyAs({ amount, charged_amount: amount, amount_settled: null })).captures[0]!
          .amountKobo,
      ).to.equal(amountKobo);
    }
  });

  for (const amount of [null, undefined, '', 'abc', '1e3', 300.555, -1, '-1', true, [300], 1e20]) {
    it(`does not guess at an amount of ${JSON.stringify(amount) ?? 'nothing'}`, async () => {
      expect(await errorOf(verifyAs({ amount, charged_amount: amount }))).to.include({
        kind: 'unknown',
        stage: 'verify',
      });
    });
  }

  it('does not guess at what was charged', async () => {
    for (const charged_amount of ['abc', -1, 99.999])
      expect((await errorOf(verifyAs({ charged_amount }))).kind).to.equal('unknown');
  });

  it('takes an id as a number or its digits, and none for an id that is missing', async () => {
    verifyCall().reply(200, good(transaction({ id: '77' })));
    triesCall().reply(200, listed([]));
    expect((await account.verify(reference, options)).captures[0]!.providerPaymentId).to.equal(
      '77',
    );
    for (const id of [null, undefined, '', 'FLW-1', {}, 1.5]) {
      verifyCall().reply(200, good(transaction({ id })));
      triesCall().reply(200, listed([]));
      expect((await errorOf(account.verify(reference, options))).kind).to.equal('unknown');
    }
  });

  const channels = {
    ...{
      card: 'card',
      applepay: 'card',
      googlepay: 'card',
      bank_transfer: 'bank_transfer',
      banktransfer: 'bank_transfer',
      ussd: 'ussd',
    },
    ...{
      nqr: 'qr',
      qr: 'qr',
      mobilemoneyng: 'mobile_money',
      mobilemoneyghana: 'mobile_money',
      mpesa: 'mobile_money',
      account: 'other',
    },
    ...{
      internetbanking: 'other',
      'account-ach-uk': 'other',
      enaira: 'other',
      opay: 'other',
      barter: 'other',
      credit: 'other',
      'CARD ': 'card',
    },
  };
  it('names the channel in our words', async () => {
    for (const [payment_type, channel] of Object.entries(channels)) {
      const { captures, unknownWords } = await verifyAs({ payment_type });
      expect({ channel: captures[0]!.channel, unknownWords }, payment_type).to.deep.equal({
        channel,
        unknownWords: [],
      });
    }
  });

  it('shows a channel it does not know to a person, once it carried money', async () => {
    for (const payment_type of ['paypal', 'toString']) {
      const { captures, unknownWords } = await verifyAs({ payment_type });
      expect(captures[0]!.channel).to.equal('other');
      expect(unknownWords).to.deep.equal([`channel "${payment_type.toLowerCase()}"`]);
    }
    for (const payment_type of [null, undefined, 7, ''])
      expect((await verifyAs({ payment_type })).unknownWords).to.deep.equal([]);
    expect(
      (await verifyAs({ payment_type: 'paypal', status: 'pending' })).unknownWords,
    ).to.deep.equal([]);
  });

  it('tells another reference or currency for what it is, and what is not stated as nothing', async () => {
    expect((await verifyAs({ tx_ref: 'REF-1', currency: 'USD' })).captures[0]).to.include({
      reference: 'REF-1',
      currency: 'USD',
    });
    const [silent] = (
      await verifyAs({ tx_ref: null, currency: undefined, created_at: 'yesterday' })
    ).captures;
    expect(silent).to.include({
      reference: '',
      currency: '',
      mode: null,
      createdAt: null,
      capturedAt: null,
    });
  });

  it('is not disturbed by meta and customer in any of their forms', async () => {
    for (const meta of [null, '', '{"a":1}', { a: 1 }, []]) {
      for (const customer of [{}, null, undefined])
        expect((await verifyAs({ meta, customer })).state).to.equal('paid');
    }
  });

  it('reads a row of the list as it is: ids and all', async () => {
    verifyCall().reply(200, good(transaction()));
    triesCall().reply(200, listed([row()]));
    expect((await account.verify(reference, options)).captures).to.have.length(1);
  });
});
