import { expect } from 'chai';
import type { Row } from '../../../domain/providers/adapter/read.ts';
import type { PaymentOrder } from '../../../domain/providers/port/payment.ts';
import { errorOf, expectErrors, expectUnknown, type Reply } from './calls.ts';
import { options, order, reference } from './examples.ts';
import * as flutterwave from './flutterwave/examples.ts';
import * as monnify from './monnify/examples.ts';
import * as paystack from './paystack/examples.ts';
import type { AccountWithReplies } from './replies.ts';

interface Payments {
  provider: string;
  accountAt(...replies: Reply[]): AccountWithReplies;
  create: string;
  /** A pay page, and what it is called where it is answered. */
  page: [url: string, field: string];
  created: Row;
  good(data: unknown): object;
  /** How long a pay page is asked for, and how long it lives. */
  limits: [expiresInMs: number, limitedMs: number | null][];
  sent: object;
  /** What is sent of an order without a name, phone and description. */
  unstated: object;
  /** How an amount in kobo is written. */
  amounts: [amountKobo: number, digits: string][];
  odd: unknown[];
  absent: Reply;
  /** Answers to a verify of a paid reference. */
  paid: object[];
  verify: string;
  /** Answers to a verify that hold no transaction. */
  empty: [reply: Reply, kind: string][];
  listed(rows: Row[]): object;
  payments: [all: string, paid: string];
}

const { transactionReference } = monnify;
const noPage = 'javascript:alert(1)';
const made = { transactionReference, paymentReference: reference };
const at = 'https://pay.example/pay/ct_1?returned=1';
const unknownOfPaystack = { status: false, message: 'Not found', code: 'transaction_not_found' };
const pageOfMonnify = `https://sandbox.sdk.monnify.com/checkout/${transactionReference}`;
const span = { from: new Date('2026-03-02T00:00:00Z'), to: new Date('2026-03-02T23:59:59Z') };
const spanOfPaystack = 'from=2026-03-02T00%3A00%3A00.000Z&to=2026-03-02T23%3A59%3A59.000Z';
const spanOfMonnify = `from=${span.from.getTime()}&to=${span.to.getTime()}`;
const search = `/api/v1/transactions/search?${spanOfMonnify}`;

const providers: Payments[] = [
  {
    ...{ provider: 'Paystack', accountAt: paystack.accountAt, good: paystack.good },
    create: '/transaction/initialize',
    page: ['https://checkout.paystack.com/3ni8kdavz62431k', 'authorization_url'],
    created: { access_code: '3ni8kdavz62431k', reference },
    limits: [[24 * 3_600_000, null]],
    sent: {
      ...{ email: 'ada@example.com', amount: 500_050, currency: 'NGN', reference },
      ...{ callback_url: at },
      metadata: {
        ...{ description: 'Two tickets', customer_name: 'Ada', customer_phone: '+2348012345678' },
      },
    },
    unstated: { metadata: { description: null, customer_name: null, customer_phone: null } },
    amounts: [[500_050, '500050']],
    odd: [undefined, { reference }],
    absent: [404, unknownOfPaystack],
    paid: [paystack.good(paystack.transaction())],
    verify: '/transaction/verify/a%7Cb%2Fc%3Fd%26e',
    empty: [
      [[404, { error: 'not found' }], 'unknown'],
      [[400, { status: false, message: 'Transaction ID should be numeric.' }], 'refused'],
      [[200, { status: true, message: 'Verification successful' }], 'unknown'],
      [[200, { ...unknownOfPaystack, code: 'x', data: paystack.transaction() }], 'unknown'],
    ],
    listed: paystack.listed,
    payments: [
      `/transaction?${spanOfPaystack}&perPage=100&page=2`,
      `/transaction?${spanOfPaystack}&status=success&perPage=100&page=1`,
    ],
  },
  {
    ...{ provider: 'Flutterwave', accountAt: flutterwave.accountAt, good: flutterwave.good },
    create: '/payments',
    page: ['https://checkout.flutterwave.com/v3/hosted/pay/flwlnk-01hynrt7cd1fpm6gtef', 'link'],
    created: {},
    limits: [
      [24 * 3_600_000, 24 * 3_600_000],
      [30 * 24 * 3_600_000, 24 * 3_600_000],
      [119_999, 60_000],
      [5_000, 60_000],
      [-5_000, 60_000],
    ],
    sent: {
      ...{ tx_ref: reference, amount: 5000.5, currency: 'NGN', redirect_url: at },
      customer: { email: 'ada@example.com', name: 'Ada', phonenumber: '+2348012345678' },
      ...{ customizations: { description: 'Two tickets' }, meta: { reference } },
      configurations: { session_duration: 1440 },
    },
    unstated: { customer: { email: 'ada@example.com' }, customizations: {} },
    amounts: [
      [500_050, '5000.50'],
      [10_000, '100.00'],
      [1, '0.01'],
      [9_007_199_254_740_991, '90071992547409.91'],
    ],
    odd: [null, {}, { link: 'https://' }],
    absent: [400, flutterwave.noTransaction],
    paid: [flutterwave.good(flutterwave.transaction()), flutterwave.listed([flutterwave.row()])],
    verify: '/transactions/verify_by_reference?tx_ref=a%7Cb%2Fc%3Fd%26e',
    empty: [
      [[404, flutterwave.bad('Resource not found')], 'refused'],
      [[401, flutterwave.noTransaction], 'refused'],
      [[200, flutterwave.good(null)], 'unknown'],
      [[200, { ...flutterwave.bad('Oops'), data: flutterwave.transaction() }], 'unknown'],
    ],
    listed: flutterwave.listed,
    payments: [
      '/transactions?from=2026-03-01&to=2026-03-03&page=2',
      '/transactions?from=2026-03-01&to=2026-03-03&status=successful&page=1',
    ],
  },
  {
    ...{ provider: 'Monnify', accountAt: monnify.accountAt, good: monnify.ok },
    create: '/api/v1/merchant/transactions/init-transaction',
    ...{ page: [pageOfMonnify, 'checkoutUrl'], created: made },
    limits: [
      [24 * 3_600_000, 2_400_000],
      [60_000, 2_400_000],
    ],
    sent: {
      ...{ amount: 5000.5, currencyCode: 'NGN', contractCode: '5867418298', redirectUrl: at },
      ...{ paymentReference: reference, customerEmail: 'ada@example.com', customerName: 'Ada' },
      ...{ paymentDescription: 'Two tickets', metaData: { customer_phone: '+2348012345678' } },
    },
    unstated: {
      ...{ customerName: 'ada@example.com', paymentDescription: `Payment ${reference}` },
      metaData: {},
    },
    amounts: [
      [2_000, '20.00'],
      [10_001, '100.01'],
      [99_999_999_999, '999999999.99'],
      [9_007_199_254_740_991, '90071992547409.91'],
    ],
    odd: [
      ...[null, made],
      ...['SV-100002-abcdefgh', null].map((paymentReference) => ({
        ...{ ...made, checkoutUrl: pageOfMonnify, paymentReference },
      })),
    ],
    absent: [404, monnify.no('Could not find transaction with payment reference a for merchant A')],
    paid: [monnify.ok(monnify.transaction())],
    verify: '/api/v2/merchant/transactions/query?paymentReference=a%7Cb%2Fc%3Fd%26e',
    empty: [
      [[404, monnify.no('The requested resource could not be found')], 'refused'],
      [[200, monnify.ok(null)], 'unknown'],
      [[200, { ...monnify.ok(monnify.transaction()), responseCode: '99' }], 'unknown'],
    ],
    listed: (rows) => monnify.springPage(rows),
    payments: [`${search}&page=2&size=100`, `${search}&page=0&size=100`],
  },
];

for (const { provider, accountAt, page, good, ...wire } of providers) {
  const [url, field] = page;
  const answer = (data: Row = {}) => good({ ...wire.created, [field]: url, ...data });
  const create = async (overrides: Partial<PaymentOrder> = {}, reply: Reply = [200, answer()]) => {
    const { account, requests, bodies } = accountAt(reply);
    const payment = await account.create({ ...order, ...overrides }, options);
    return { payment, requests, sent: bodies[0]! };
  };

  describe(`Creating a payment at ${provider}`, () => {
    it('sends the order once, its amount with all its digits, and returns a pay page', async () => {
      const { payment, requests, sent } = await create();
      expect(payment).to.have.property('url', url);
      expect(requests).to.deep.equal([`POST ${wire.create}`]);
      expect(JSON.parse(sent)).to.deep.equal(wire.sent);
      for (const [amountKobo, digits] of wire.amounts)
        expect((await create({ amountKobo })).sent).to.include(`"amount":${digits},`);
    });

    it('limits the time of its pay page to whole minutes of a day, or as the provider does', async () => {
      for (const [expiresInMs, limitedMs] of wire.limits) {
        const { payment, sent } = await create({ expiresInMs });
        expect(payment.linkExpiresInMs, `${expiresInMs}`).to.equal(limitedMs);
        if (provider === 'Flutterwave')
          expect(sent).to.include(`"session_duration":${limitedMs! / 60_000}}`);
      }
    });

    it('needs neither name, phone nor description', async () => {
      const { sent } = await create({ name: null, phone: null, description: null });
      expect(JSON.parse(sent)).to.deep.include(wire.unstated);
    });

    it('has an unknown outcome where the answer holds no pay page', async () => {
      const bodies = [...wire.odd.map(good), answer({ [field]: noPage })];
      const replies: Reply[] = [...bodies.map((body): Reply => [200, body]), [500, answer()]];
      await expectUnknown('create', replies, (reply) => create({}, reply));
    });
  });

  describe(`Verifying a reference at ${provider}`, () => {
    it('asks with the encoded reference; an unknown one is absent', async () => {
      const { account, requests } = accountAt(wire.absent);
      const { state, raw } = await account.verify('a|b/c?d&e', options);
      expect({ state, raw }).to.deep.equal({
        state: 'absent',
        raw: JSON.stringify(wire.absent[1]),
      });
      expect(requests).to.deep.equal([`GET ${wire.verify}`]);
    });

    it('keeps the answer as evidence', async () => {
      const { account } = accountAt(...wire.paid.map((body): Reply => [200, body]));
      const { state, raw, captures } = await account.verify(reference, options);
      expect([state, captures.length]).to.deep.equal(['paid', 1]);
      expect(JSON.parse(raw)).to.deep.equal(wire.paid[0]);
    });

    it('is an error where the answer holds no transaction', () =>
      expectErrors('verify', wire.empty, (reply) =>
        accountAt(reply).account.verify(reference, options),
      ));
  });

  describe(`Listing the payments of ${provider}`, () => {
    it('asks for payments created in the period, or for successful ones alone', async () => {
      const none: Reply = [200, wire.listed([])];
      const { account, requests } = accountAt(none, none);
      const second = provider === 'Paystack' ? '2:7' : '2:MNFY|1';
      await account.listPayments({ ...span, cursor: second }, options);
      await account.listPayments({ ...span, cursor: null, paidOnly: true }, options);
      expect(requests).to.deep.equal(wire.payments.map((path) => `GET ${path}`));
    });
  });
}

describe('A verified payment of Monnify', () => {
  it('asks a person where money went back unstated', async () => {
    const verifyAs = (fields: Row) =>
      monnify
        .accountAt([200, monnify.ok(monnify.transaction(fields))])
        .account.verify(reference, options);
    expect(await verifyAs({ paymentStatus: 'REVERSED' })).to.include({ state: 'paid' });
    for (const amountPaid of ['0.00', 0, null, undefined])
      expect(await verifyAs({ paymentStatus: 'REVERSED', amountPaid })).to.deep.include({
        ...{ state: 'unpaid', status: 'REVERSED', captures: [], hasRefunds: false },
        unknownWords: ['status "REVERSED" without the amount that was paid'],
      });
    expect(await verifyAs({ paymentStatus: 'PENDING', amountPaid: 0 })).to.deep.include({
      ...{ state: 'unpaid', unknownWords: [] },
    });
  });
});

describe('A listed payment', () => {
  const list = (account: AccountWithReplies['account']) =>
    account.listPayments({ ...span, cursor: null }, options);

  it('of Flutterwave is a captured one, until the newest of a page is older than the period', async () => {
    const rowsOf = (rows: Row[]) => {
      const numbered = rows.map((row, n) => flutterwave.row({ id: n + 1, ...row }));
      return list(flutterwave.accountAt([200, flutterwave.listed(numbered, 3)]).account);
    };
    const statuses = ['successful', 'failed', 'pending', 'cancelled', 'SUCCESSFUL'];
    const { rows, next } = await rowsOf(statuses.map((status) => ({ status })));
    expect(rows.map(({ providerPaymentId }) => providerPaymentId)).to.deep.equal(['1', '5']);
    expect(next).to.equal('2:1');
    const nextAfter = async (...times: string[]) =>
      (await rowsOf(times.map((created_at) => ({ created_at })))).next;
    const [before, longBefore] = ['2026-03-01T23:59:00Z', '2026-03-01T12:00:00Z'];
    expect(await nextAfter(before, longBefore)).to.equal(null);
    expect(await nextAfter('2026-03-02T00:00:00Z', before), 'one in the period').to.equal('2:1');
    expect(await nextAfter(longBefore, before), 'oldest first').to.equal('2:1');
  });

  const row = (fields: Row = {}) => ({
    ...{ transactionReference, paymentReference: reference, paymentMethod: 'CARD' },
    ...{ amount: 5000.5, payableAmount: 5000.5, amountPaid: 5000.5, settlementAmount: 4925.49 },
    ...{ fee: 75.01, currencyCode: 'NGN', flagged: false, paymentStatus: 'PAID' },
    ...{ createdOn: '2026-03-02T09:14:27.000+0000', completedOn: '2026-03-02T09:15:02.000+0000' },
    ...{ customerDTO: { email: 'ada@example.com' }, completed: true, ...fields },
  });

  it('of Monnify has the amount paid, and what was asked where it was paid in full', async () => {
    const unstated = { amountPaid: null, payableAmount: undefined };
    const rows: [fields: Row, amountKobo: number | null][] = [
      [{ amountPaid: '5000.50' }, 500_050],
      [{ paymentStatus: 'OVERPAID', amountPaid: 6000 }, 600_000],
      [{ paymentStatus: 'PARTIALLY_PAID', amountPaid: 100 }, 10_000],
      [{ amountPaid: null, payableAmount: 5000.5, amount: undefined }, 500_050],
      [unstated, 500_050],
      [{ ...unstated, paymentStatus: 'SUCCESSFUL' }, 500_050],
      [{ ...unstated, paymentStatus: 'REVERSED' }, 500_050],
      [{ ...unstated, paymentStatus: 'OVERPAID' }, null],
      [{ ...unstated, paymentStatus: 'PARTIALLY_PAID' }, null],
    ];
    for (const [fields, amountKobo] of rows) {
      const { account } = monnify.accountAt([200, monnify.springPage([row(fields)])]);
      expect((await list(account)).rows[0], JSON.stringify(fields)).to.include({ amountKobo });
    }
  });

  it('of Monnify is read without an envelope, but not from an error of the same form', async () => {
    const page = { content: [row()], last: true, totalPages: 1, number: 0, size: 100 };
    expect((await list(monnify.accountAt([200, page]).account)).rows).to.have.length(1);
    for (const reply of [
      [500, page],
      [200, { ...page, ...monnify.no('Something went wrong') }],
      [200, { error: 'x' }],
    ] as Reply[])
      expect((await errorOf(list(monnify.accountAt(reply).account))).kind).to.equal('unknown');
  });
});
