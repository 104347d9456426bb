import { expect } from 'chai';
import type { PaymentOrder } from '../../../../domain/providers/port/payment.ts';
import { errorOf, expectErrors, type Reply } from '../calls.ts';
import {
  accountAt,
  no,
  ok,
  options,
  order,
  reference,
  springPage,
  transactionReference,
} from './examples.ts';

describe('Creating a payment at Monnify', () => {
  const url = `https://sandbox.sdk.monnify.com/checkout/${transactionReference}`;
  const made = { transactionReference, paymentReference: reference, checkoutUrl: url };
  const create = async (reply: Reply, overrides: Partial<PaymentOrder> = {}) => {
    const { account, bodies } = accountAt(reply);
    const payment = await account.create({ ...order, ...overrides }, options);
    return { payment, sent: bodies[0]! };
  };

  it('sends the order once, under the contract, in naira with all their digits', async () => {
    const { sent } = await create([200, ok(made)]);
    expect(JSON.parse(sent)).to.deep.equal({
      ...{ amount: 5000.5, currencyCode: 'NGN', contractCode: '5867418298' },
      ...{ paymentReference: reference, customerEmail: 'ada@example.com', customerName: 'Ada' },
      ...{ paymentDescription: 'Two tickets', metaData: { customer_phone: '+2348012345678' } },
      redirectUrl: 'https://pay.example/pay/ct_1?returned=1',
    });
    const amounts: [amountKobo: number, digits: string][] = [
      [2_000, '20.00'],
      [10_001, '100.01'],
      [99_999_999_999, '999999999.99'],
      [9_007_199_254_740_991, '90071992547409.91'],
    ];
    for (const [amountKobo, digits] of amounts)
      expect((await create([200, ok(made)], { amountKobo })).sent).to.include(
        `"amount":${digits},`,
      );
  });

  it('always sends a name and a description', async () => {
    const unstated = { name: null, phone: null, description: null };
    expect(JSON.parse((await create([200, ok(made)], unstated)).sent)).to.deep.include({
      ...{ customerName: 'ada@example.com', paymentDescription: `Payment ${reference}` },
      metaData: {},
    });
  });

  it('returns a pay page of forty minutes, whatever the order says', async () => {
    for (const expiresInMs of [60_000, 24 * 3_600_000])
      expect((await create([200, ok(made)], { expiresInMs })).payment).to.deep.equal({
        url,
        linkExpiresInMs: 2_400_000,
      });
  });

  it('fails as duplicate, refused or unknown', async () => {
    const replies: [reply: Reply, kind: string][] = [
      [[422, no('Duplicate payment reference')], 'duplicate'],
      [[422, no('Could not find specified contract')], 'refused'],
      [[500, ok(made)], 'unknown'],
      [[200, JSON.stringify(ok(made)).slice(0, -20)], 'unknown'],
      [[200, ok(null)], 'unknown'],
      [[200, ok({ ...made, checkoutUrl: undefined })], 'unknown'],
      [[200, ok({ ...made, checkoutUrl: 'javascript:alert(1)' })], 'unknown'],
      [[200, ok({ ...made, paymentReference: 'SV-100002-abcdefgh' })], 'unknown'],
      [[200, ok({ ...made, paymentReference: null })], 'unknown'],
    ];
    await expectErrors('create', replies, create);
  });
});

const span = { from: new Date('2026-03-02T00:00:00Z'), to: new Date('2026-03-03T00:00:00Z') };

const row = (overrides: Record<string, unknown> = {}) => ({
  ...{ transactionReference, paymentReference: reference, paymentMethod: 'CARD' },
  ...{ amount: 5000.5, payableAmount: 5000.5, amountPaid: 5000.5, settlementAmount: 4925.49 },
  ...{ fee: 75.01, currencyCode: 'NGN', flagged: false, paymentStatus: 'PAID' },
  ...{ createdOn: '2026-03-02T09:14:27.000+0000', completedOn: '2026-03-02T09:15:02.000+0000' },
  ...{ customerDTO: { email: 'ada@example.com' }, completed: true, ...overrides },
});

describe('Listing the payments of Monnify', () => {
  const list = async (...rows: object[]) => {
    const { account } = accountAt([200, springPage(rows)]);
    return (await account.listPayments({ ...span, cursor: null }, options)).rows;
  };

  it('asks for payments created in the period, in ms since 1970, whatever their status', async () => {
    const { account, requests } = accountAt([200, springPage([])], [200, springPage([])]);
    await account.listPayments({ ...span, cursor: '1:MNFY|1' }, options);
    await account.listPayments({ ...span, cursor: null, paidOnly: true }, options);
    const query = `from=${Date.UTC(2026, 2, 2)}&to=${Date.UTC(2026, 2, 3)}`;
    expect(requests).to.deep.equal([
      `GET /api/v1/transactions/search?${query}&page=1&size=100`,
      `GET /api/v1/transactions/search?${query}&page=0&size=100`,
    ]);
  });

  it('reads the amount paid, and what was asked where it was paid in full', async () => {
    const unstated = { amountPaid: null, payableAmount: undefined };
    const rows: [fields: Record<string, unknown>, amountKobo: number | null][] = [
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
    for (const [fields, amountKobo] of rows)
      expect((await list(row(fields)))[0], JSON.stringify(fields)).to.include({ amountKobo });
  });

  it('reads a page without an envelope, but not an error of the same form', async () => {
    const page = { content: [row()], last: true, totalPages: 1, number: 0, size: 100 };
    const read = (reply: Reply) =>
      accountAt(reply).account.listPayments({ ...span, cursor: null }, options);
    expect((await read([200, page])).rows).to.have.length(1);
    for (const reply of [
      [500, page],
      [200, { ...page, ...no('Something went wrong') }],
      [200, { error: 'x' }],
    ] as Reply[])
      expect((await errorOf(read(reply))).kind, JSON.stringify(reply)).to.equal('unknown');
  });
});
