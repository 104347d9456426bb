import { expect } from 'chai';
import { createPayment, listPayments } from '../../../../domain/providers/monnify/payments.ts';
import type { PaymentOrder } from '../../../../domain/providers/provider.ts';
import { errorOf, type Reply } from '../calls.ts';
import {
  baseUrl,
  clientWith,
  clock,
  credentials,
  no,
  ok,
  options,
  order,
  reference,
  springPage,
  transactionReference,
} from './examples.ts';

const account = { credentials, baseUrl, clock, mode: 'live' as const };

describe('Creating a payment at Monnify', () => {
  const url = `https://sandbox.sdk.monnify.com/checkout/${transactionReference}`;
  const made = { transactionReference, paymentReference: reference, checkoutUrl: url };
  const create = async (reply: Reply, overrides: Partial<PaymentOrder> = {}) => {
    const { client, bodies } = clientWith(reply);
    const payment = await createPayment(client, account, { ...order, ...overrides }, options);
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
    for (const [reply, kind] of replies)
      expect(await errorOf(create(reply)), JSON.stringify(reply)).to.include({
        kind,
        stage: 'create',
      });
  });
});

describe('Listing the payments of Monnify', () => {
  const span = { from: new Date('2026-03-02T00:00:00Z'), to: new Date('2026-03-03T00:00:00Z') };

  /** A row of the search with the fields that its sources show. */
  const row = (overrides: Record<string, unknown> = {}) => ({
    ...{ transactionReference, paymentReference: reference, paymentMethod: 'CARD' },
    ...{ amount: 5000.5, payableAmount: 5000.5, amountPaid: 5000.5, settlementAmount: 4925.49 },
    ...{ fee: 75.01, currencyCode: 'NGN', flagged: false, paymentStatus: 'PAID' },
    ...{ createdOn: '2026-03-02T09:14:27.000+0000', completedOn: '2026-03-02T09:15:02.000+0000' },
    ...{ customerDTO: { email: 'ada@example.com' }, completed: true, ...overrides },
  });
  const list = async (...rows: object[]) => {
    const { client } = clientWith([200, springPage(rows)]);
    return (await listPayments(client, { ...span, cursor: null }, options)).rows;
  };

  it('asks for payments created in the period, in ms since 1970, or for paid ones alone', async () => {
    const { client, requests } = clientWith([200, springPage([])], [200, springPage([])]);
    await listPayments(client, { ...span, cursor: '1:MNFY|1' }, options);
    await listPayments(client, { ...span, cursor: null, paidOnly: true }, options);
    const query = `from=${Date.UTC(2026, 2, 2)}&to=${Date.UTC(2026, 2, 3)}`;
    const paid = 'paymentStatus=PAID&paymentStatusParam=PAID';
    expect(requests).to.deep.equal([
      `GET /api/v1/transactions/search?${query}&page=1&size=100`,
      `GET /api/v1/transactions/search?${query}&${paid}&page=0&size=100`,
    ]);
  });

  it('returns captured payments, reversed and foreign ones too', async () => {
    expect(await list(row())).to.deep.equal([
      {
        ...{ providerPaymentId: transactionReference, reference, mode: null, createdAt: null },
        ...{ amountKobo: 500_050, feeKobo: 7_501, currency: 'NGN', channel: 'card' },
        capturedAt: new Date('2026-03-02T09:15:02Z'),
      },
    ]);
    const paid = ['PAID', 'OVERPAID', 'partially_paid', 'UNDERPAID', 'REVERSED', 'REFUNDED'];
    const others = ['PENDING', 'FAILED', 'ABANDONED', 'CANCELLED', 'EXPIRED', 'UNHEARD_OF', null];
    const rows = [
      ...others.map((paymentStatus) => row({ paymentStatus, amountPaid: 0, completedOn: null })),
      ...paid.map((paymentStatus, id) =>
        row({ transactionReference: `MNFY|${id}`, paymentStatus }),
      ),
    ];
    const ids = (await list(...rows)).map(({ providerPaymentId }) => providerPaymentId);
    expect(ids).to.deep.equal(paid.map((_, id) => `MNFY|${id}`));
    const [foreign] = await list(row({ paymentReference: null, completedOn: null }));
    expect(foreign).to.include({ reference: '', capturedAt: null });
  });

  it('reads the amount paid, and the fee from the settlement or as stated', async () => {
    const overpaid = { paymentStatus: 'OVERPAID', amountPaid: 6000, settlementAmount: 5910 };
    const partial = { paymentStatus: 'PARTIALLY_PAID', amountPaid: 100, settlementAmount: 98.5 };
    const unstated = { amountPaid: null, settlementAmount: undefined };
    const rows: [fields: Record<string, unknown>, amountKobo: number, feeKobo: number | null][] = [
      [{ amountPaid: '5000.50', settlementAmount: '4925.49' }, 500_050, 7_501],
      [{ amountPaid: 5000, settlementAmount: 4925 }, 500_000, 7_500],
      [overpaid, 600_000, 9_000],
      [partial, 10_000, 150],
      [unstated, 500_050, 7_501],
      [{ ...unstated, paymentStatus: 'REVERSED' }, 500_050, 7_501],
      [{ paymentStatus: 'REVERSED', settlementAmount: 0 }, 500_050, null],
      [{ settlementAmount: null, fee: '75.0075' }, 500_050, 7_501],
      [{ settlementAmount: null, fee: 0 }, 500_050, null],
      [{ settlementAmount: null, fee: undefined }, 500_050, null],
      [{ settlementAmount: null, fee: 5000.51 }, 500_050, null],
      [{ settlementAmount: null, providerAmount: 20 }, 500_050, null],
    ];
    for (const [fields, amountKobo, feeKobo] of rows)
      expect((await list(row(fields)))[0], JSON.stringify(fields)).to.include({
        amountKobo,
        feeKobo,
      });
  });

  it('fails where a captured payment is not clear', async () => {
    const unclear = [
      { transactionReference: '' },
      { amountPaid: null, payableAmount: null },
      { paymentStatus: 'PARTIALLY_PAID', amountPaid: null },
      { paymentStatus: 'OVERPAID', amountPaid: null },
    ];
    for (const fields of unclear)
      expect(await errorOf(list(row(fields))), JSON.stringify(fields)).to.include({
        kind: 'unknown',
        stage: 'payments',
      });
  });
});
