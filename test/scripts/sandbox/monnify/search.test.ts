import { expect } from 'chai';
import { forEachTest } from '../../../support/for-each-test.ts';
import type { Json } from '../json.ts';
import { type MonnifyFixture, openMonnify } from './monnify-fixture.ts';

const path = '/api/v1/transactions/search';

async function found(fixture: MonnifyFixture, query: string): Promise<string[]> {
  const { body } = await fixture.monnify('GET', `${path}?${query}`);
  return body.responseBody.content.map((row: Json) => row.paymentReference);
}

describe("sandbox: Monnify's search", () => {
  const fixture = forEachTest(openMonnify);

  it('shows a transaction with its fee, its amounts as numbers and its dates with their offset', async () => {
    const { paymentReference, transactionReference } = await fixture.pay(391.01);
    const { body } = await fixture.monnify('GET', `${path}?paymentReference=${paymentReference}`);
    expect(body.responseBody.content).to.deep.equal([
      {
        ...{ transactionReference, paymentReference, paymentStatus: 'PAID', completed: true },
        customerDTO: { email: 'ada@example.com', name: 'Ada Obi' },
        ...{ paymentMethod: 'ACCOUNT_TRANSFER', paymentDescription: 'Two bags of rice' },
        ...{ createdOn: '2026-03-02T09:00:00.000+0000', currencyCode: 'NGN' },
        ...{ amount: 391.01, amountPaid: 391.01, payableAmount: 391.01, fee: 5.87 },
        ...{ settlementAmount: 385.14, completedOn: '2026-03-02T09:00:00.000+0000' },
        merchantName: `Sandbox Merchant ${fixture.accountId}`,
      },
    ]);
  });

  it('lists newest first, page by page from 0', async () => {
    const references: string[] = [];
    for (let i = 0; i < 3; i += 1) references.unshift((await fixture.init()).paymentReference);
    const read = async (query: string) =>
      (await fixture.monnify('GET', `${path}?${query}`)).body.responseBody;
    expect(await found(fixture, 'size=2')).to.deep.equal(references.slice(0, 2));
    expect(await found(fixture, 'size=2&page=1')).to.deep.equal(references.slice(2));
    const last = { totalElements: 3, totalPages: 2, number: 1, size: 2, last: true, first: false };
    expect(await read('size=2&page=1')).to.include({ ...last, empty: false });
    expect(await read('page=5')).to.include({ empty: true, last: true });
  });

  it('finds by every status exactly what has it', async () => {
    const reversed = await fixture.pay();
    const refund = { refundReference: 'r1', refundAmount: 5000, refundReason: 'late' };
    const { transactionReference } = reversed;
    const order = { ...refund, customerNote: 'late', transactionReference };
    await fixture.monnify('POST', '/api/v1/refunds/initiate-refund', order);
    const expired = await fixture.init();
    await fixture.pass(2_400_000);
    const failed = await fixture.pay(5000, { outcome: 'failed' });
    const disputed = await fixture.pay();
    const lost = { reference: disputed.paymentReference, outcome: 'lost' };
    await fixture.control('POST', '/dispute', lost);
    const byStatus = {
      REVERSED: [reversed],
      EXPIRED: [expired],
      FAILED: [failed],
      PAID: [disputed],
      OVERPAID: [await fixture.pay(5000, { amount_kobo: 500_001 })],
      PARTIALLY_PAID: [await fixture.pay(5000, { amount_kobo: 499_999 })],
      PENDING: [await fixture.init()],
      ABANDONED: [],
      constructor: [],
    };
    for (const [status, sales] of Object.entries(byStatus)) {
      const expected = sales.map(({ paymentReference }) => paymentReference);
      expect(await found(fixture, `paymentStatus=${status}`), status).to.deep.equal(expected);
      expect(await found(fixture, `paymentStatusParam=${status}`), status).to.deep.equal(expected);
      for (const reference of expected)
        expect((await fixture.query(reference)).paymentStatus).to.equal(status);
    }
  });

  it('finds by amount, time, customer and reference', async () => {
    const bola = { customerName: 'Bola', customerEmail: 'bola@example.com' };
    const { paymentReference: small } = await fixture.init({ amount: 100.5, ...bola });
    await fixture.pass(60_000);
    const large = await fixture.init({ amount: 200 });
    const startMs = Date.parse('2026-03-02T09:00:00Z');
    for (const [query, expected] of [
      ['amount=100.5', [small]],
      ['fromAmount=100.5&toAmount=199.99', [small]],
      ['fromAmount=100.51', [large.paymentReference]],
      [`from=${startMs}&to=${startMs + 59_999}`, [small]],
      [`from=${startMs + 60_000}`, [large.paymentReference]],
      ['customerName=Bola', [small]],
      ['customerEmail=bola@example.com', [small]],
      [
        `transactionReference=${encodeURIComponent(large.transactionReference)}`,
        [large.paymentReference],
      ],
      ['transactionReference=nosuch', []],
    ] as const) {
      expect(await found(fixture, query), query).to.deep.equal(expected);
    }
  });
});
