import { expect } from 'chai';
import { errorOf, useNock } from '../calls.ts';
import {
  api,
  loggedIn,
  no,
  ok,
  options,
  query,
  reference,
  transaction,
  transactionReference,
  verifyAs,
} from './examples.ts';

describe('Monnify, asked what became of a payment', () => {
  useNock();

  const states: [status: unknown, state: string][] = [
    ['PENDING', 'unpaid'],
    ['PAID', 'paid'],
    ['OVERPAID', 'paid'],
    ['PARTIALLY_PAID', 'paid'],
    ['UNDERPAID', 'paid'],
    ['REVERSED', 'paid'],
    ['REFUNDED', 'paid'],
    ['FAILED', 'declined'],
    ['EXPIRED', 'ended'],
    ['ABANDONED', 'ended'],
    ['CANCELLED', 'ended'],
    ['paid ', 'paid'],
    ['ON_HOLD', 'unknown'],
    ['constructor', 'unknown'],
    ['', 'unknown'],
    [null, 'unknown'],
    [7, 'unknown'],
  ];
  for (const [status, state] of states) {
    it(`reads ${JSON.stringify(status)} as ${state}`, async () => {
      const verification = await verifyAs({ paymentStatus: status });
      expect(verification).to.include({
        state,
        status: typeof status === 'string' ? status.trim().toUpperCase() : '',
      });
      expect(verification.captures).to.have.length(state === 'paid' ? 1 : 0);
      expect(verification.hasRefunds).to.equal(status === 'REVERSED' || status === 'REFUNDED');
      expect(verification.failureMessage).to.equal(
        state === 'declined' ? 'The payment was declined.' : null,
      );
    });
  }

  it('states the whole capture, and keeps the answer as evidence', async () => {
    const { captures, raw, unknownWords } = await verifyAs({});
    expect(captures).to.deep.equal([
      {
        providerPaymentId: transactionReference,
        reference,
        ...{ amountKobo: 500_050, feeKobo: 7_501, currency: 'NGN', channel: 'card', mode: null },
        createdAt: null,
        capturedAt: new Date('2026-03-02T09:15:02.000Z'),
      },
    ]);
    expect(unknownWords).to.deep.equal([]);
    expect(JSON.parse(raw).responseBody).to.deep.equal(transaction());
  });

  const amounts: [paid: unknown, settled: unknown, amountKobo: number, feeKobo: number | null][] = [
    ['100.00', '90.00', 10_000, 1_000],
    [100, 90, 10_000, 1_000],
    [1234.56, '1216.041', 123_456, 1_852],
    [5000.5, 4925.4925, 500_050, 7_501],
    ['999999999.99', '999997999.99', 99_999_999_999, 200_000],
    ['100', '100.00', 10_000, 0],
    ['100.00', '0.00', 10_000, null],
    ['100.00', 0, 10_000, null],
    ['100.00', null, 10_000, null],
    ['100.00', undefined, 10_000, null],
    ['100.00', '', 10_000, null],
    ['100.00', 'soon', 10_000, null],
    ['100.00', '100.01', 10_000, null],
    ['100.00', -1, 10_000, null],
  ];
  for (const [amountPaid, settlementAmount, amountKobo, feeKobo] of amounts) {
    it(`reads ${JSON.stringify(amountPaid)} paid and ${JSON.stringify(settlementAmount)} settled to the kobo`, async () => {
      expect((await verifyAs({ amountPaid, settlementAmount })).captures[0]).to.include({
        amountKobo,
        feeKobo,
      });
    });
  }

  it('counts what was really paid, be it too little or too much', async () => {
    for (const [paymentStatus, amountPaid, amountKobo] of [
      ['PARTIALLY_PAID', '20.00', 2_000],
      ['OVERPAID', '9000.00', 900_000],
    ] as const) {
      expect((await verifyAs({ paymentStatus, amountPaid })).captures[0]).to.include({
        amountKobo,
      });
    }
  });

  it('takes what was settled of a reversed payment for no statement of a fee once it is nothing', async () => {
    expect((await verifyAs({ paymentStatus: 'REVERSED' })).captures[0]).to.include({
      amountKobo: 500_050,
      feeKobo: 7_501,
    });
    expect(
      (await verifyAs({ paymentStatus: 'REVERSED', settlementAmount: '0.00' })).captures[0],
    ).to.include({ feeKobo: null });
  });

  for (const amountPaid of [
    null,
    undefined,
    '',
    'abc',
    '0.00',
    0,
    '300.505',
    300.505,
    -1,
    '-1',
    true,
    [30_050],
    '1,000.00',
  ]) {
    it(`does not guess at an amount of ${JSON.stringify(amountPaid) ?? 'nothing'}`, async () => {
      expect(await errorOf(verifyAs({ amountPaid }))).to.include({
        kind: 'unknown',
        stage: 'verify',
      });
    });
  }

  it('takes none for an id that is missing', async () => {
    for (const id of [null, undefined, '', 'a b', {}, 7]) {
      expect((await errorOf(verifyAs({ transactionReference: id }))).kind).to.equal('unknown');
    }
  });

  const channels = {
    ...{
      CARD: 'card',
      ACCOUNT_TRANSFER: 'bank_transfer',
      USSD: 'ussd',
      PHONE_NUMBER: 'other',
      DIRECT_DEBIT: 'other',
      CASH: 'other',
    },
    ...{ 'card ': 'card' },
  };
  it('names the channel in our words', async () => {
    for (const [paymentMethod, ours] of Object.entries(channels)) {
      const { captures, unknownWords } = await verifyAs({ paymentMethod });
      expect(captures[0]!.channel, paymentMethod).to.equal(ours);
      expect(unknownWords).to.deep.equal([]);
    }
  });

  it('shows a channel it does not know to a person', async () => {
    for (const paymentMethod of ['BARTER', 'toString']) {
      const { captures, unknownWords } = await verifyAs({ paymentMethod });
      expect(captures[0]!.channel).to.equal('other');
      expect(unknownWords).to.deep.equal([`channel "${paymentMethod.toUpperCase()}"`]);
    }
    for (const paymentMethod of [null, undefined, 7]) {
      const { captures, unknownWords } = await verifyAs({ paymentMethod });
      expect([captures[0]!.channel, ...unknownWords]).to.deep.equal(['other']);
    }
  });

  it('tells another reference or currency for what it is, and what is not stated as nothing', async () => {
    const [other] = (await verifyAs({ paymentReference: 'REF-1', currency: 'USD' })).captures;
    expect(other).to.include({ reference: 'REF-1', currency: 'USD' });
    const [silent] = (await verifyAs({ paymentReference: null, currency: undefined, paidOn: null }))
      .captures;
    expect(silent).to.include({ reference: '', currency: '', capturedAt: null });
  });

  it('is not disturbed by what else the answer holds, in any of its forms', async () => {
    for (const odd of ['', 0, null, '{"a":1}', { a: 1 }, []]) {
      const odds = {
        metaData: odd,
        cardDetails: odd,
        accountDetails: odd,
        accountPayments: odd,
        customer: odd,
        product: odd,
      };
      expect((await verifyAs(odds)).state).to.equal('paid');
    }
  });
});

describe('Monnify, where a reference is not known', () => {
  useNock();

  const named = `Could not find transaction with payment reference ${reference} for merchant Ada & Co`;
  const unnamed =
    "There's no transaction matching supplied reference. Please confirm supplied reference and try again.";
  for (const body of [no(named, 99), no(named), no(unnamed, 99), no(named.toUpperCase(), ' 99 ')]) {
    it(`says so: ${JSON.stringify(body)}`, async () => {
      const account = loggedIn();
      query().reply(404, body);
      expect(await account.verify(reference, options)).to.deep.include({
        state: 'absent',
        captures: [],
        raw: JSON.stringify(body),
      });
    });
  }

  const others: [what: string, status: number, body: object | string, kind: string][] = [
    ['a 404 in JSON that is not its own', 404, { error: named }, 'unknown'],
    ['a wrong path', 404, no('The requested resource could not be found'), 'refused'],
    ['another code', 404, no(named, 'R1'), 'refused'],
    ['another status', 400, no(named, 99), 'refused'],
    ['a contradiction', 404, { ...no(named, 99), requestSuccessful: true }, 'unknown'],
    ['success that says so', 200, no(named, 99), 'unknown'],
    ['a limit that says so', 429, no(named, 99), 'limited'],
    ['a failure that says so', 500, no(named, 99), 'unknown'],
    ['success without a body', 200, { ...ok(null) }, 'unknown'],
    [
      'success with the code of a failure',
      200,
      { ...ok(transaction()), responseCode: '99' },
      'unknown',
    ],
  ];
  for (const [what, status, body, kind] of others) {
    it(`never takes ${what} for that`, async () => {
      const account = loggedIn();
      query().reply(status, body as object);
      expect(await errorOf(account.verify(reference, options))).to.include({
        kind,
        stage: 'verify',
      });
    });
  }

  it('is asked with the reference encoded', async () => {
    const account = loggedIn();
    const seen: string[] = [];
    api()
      .get(/.*/)
      .reply(404, (request: any) => {
        seen.push(request.url);
        return no(named, 99);
      });
    expect((await account.verify('a|b/c?d&e', options)).state).to.equal('absent');
    expect(seen[0]).to.match(/\?paymentReference=a%7Cb%2Fc%3Fd%26e$/);
  });
});
