import { expect } from 'chai';
import { untried } from '../../../scripts/sandbox/payments.ts';
import { type Fixture, openFixture } from './fixture.ts';
import { openFlutterwave } from './flutterwave/fixture.ts';
import type { Json } from './json.ts';
import { openMonnify } from './monnify/monnify-fixture.ts';

const count = 4_321;

function fill({ sandbox: { store }, accountId }: Fixture): void {
  const at = new Date('2026-03-02T09:00:00Z');
  const same = { requestedKobo: 500_000, paidKobo: 500_000, feeKobo: 7_500, paidAt: at };
  for (let n = 1; n <= count; n++)
    store.payment.add({
      ...{ ...untried, ...same, accountId, kind: 'payment', status: 'paid', attempts: 1 },
      ...{ reference: `SV-${n}-abcdefgh`, accessCode: `page-${n}`, email: 'ada@example.com' },
      ...{ channel: 'card', createdAt: at, linkExpiresAt: null, callbackUrl: null },
      ...{ metadata: null, customerName: null, customerPhone: null, description: null },
    });
}

const settle = async (fixture: Fixture) => (await fixture.control('POST', '/settle')).body.data[0];

describe('sandbox: large settlements', () => {
  it('comes page by page at Paystack, each line once, a hundred at the most', async () => {
    await using fixture = await openFixture();
    fill(fixture);
    const { id } = await settle(fixture);
    const references = new Set<string>();
    for (let page = 1; page <= 44; page += 1) {
      const { data, meta } = (
        await fixture.paystack('GET', `/settlement/${id}/transactions?perPage=500&page=${page}`)
      ).body;
      const totals = { total: count, total_volume: count * 500_000 };
      expect(meta).to.include({ ...totals, perPage: 100, page, pageCount: 44 });
      expect(data).to.have.length(page < 44 ? 100 : count % 100);
      for (const row of data) references.add(row.reference);
    }
    expect(references.size).to.equal(count);
  });

  it('comes in one answer at Flutterwave, and the list names every transaction of every row', async () => {
    await using fixture = await openFlutterwave();
    fill(fixture);
    const { id } = await settle(fixture);
    const reference = await fixture.sale(1_500_000);
    await settle(fixture);
    const response = await fixture.flutterwave('GET', `/settlements/${id}`);
    expect(response.headers.get('content-type')).to.match(/^application\/json/);
    const one = response.body.data;
    expect(new Set(one.transactions.map((row: Json) => row.tx_ref)).size).to.equal(count);
    expect(JSON.parse(one.meta)).to.deep.equal(one.transactions.map((row: Json) => row.id));
    const rows = (await fixture.flutterwave('GET', '/settlements')).body.data;
    expect(rows.map((row: Json) => row.transaction_count)).to.deep.equal([1, count]);
    expect(rows.map((row: Json) => row.meta.length)).to.deep.equal([1, count]);
    expect(rows[0].meta).to.deep.equal([(await fixture.verified(reference)).id]);
    expect(rows.map((row: Json) => row.stampduty_charge)).to.deep.equal([50, 0]);
  });

  it('comes page by page at Monnify, and its notification has the first hundred', async () => {
    await using fixture = await openMonnify();
    fill(fixture);
    const { provider_settlement_id: reference } = await settle(fixture);
    await fixture.sandbox.idle();
    const [notified] = fixture.receiver.received.map(({ body }) => (body as Json).eventData);
    expect(notified).to.include({ settlementReference: reference, transactionsCount: count });
    expect(notified.transactions).to.have.length(100);
    const references = new Set<string>();
    for (let page = 0; page < 44; page += 1) {
      const path = `/api/v1/transactions/find-by-settlement-reference?reference=${reference}&size=100&page=${page}`;
      const { content, totalElements, last } = (await fixture.monnify('GET', path)).body
        .responseBody;
      expect({ totalElements, last }).to.deep.equal({ totalElements: count, last: page === 43 });
      for (const row of content) references.add(row.paymentReference);
    }
    expect(references.size).to.equal(count);
  });
});

describe('sandbox: many settlements', () => {
  it('are listed by day and page by page at Paystack', async () => {
    await using fixture = await openFixture();
    for (let day = 1; day <= 7; day += 1) {
      await fixture.sale();
      await fixture.control('POST', '/settle', { at: `2026-01-0${day}T22:00:00Z` });
    }
    const list = async (query: string) =>
      (await fixture.paystack('GET', `/settlement?${query}`)).body;
    const { data, meta } = await list('from=2026-01-02&to=2026-01-06&perPage=2&page=3');
    expect(data.map((row: Json) => row.settlement_date)).to.deep.equal([
      '2026-01-02T00:00:00.000Z',
    ]);
    expect(meta).to.deep.equal({ total: 5, skipped: 4, perPage: 2, page: 3, pageCount: 3 });
    expect((await list('from=2026-01-03T22:00:01Z&to=2026-01-05T22:00:00Z')).data).to.have.length(
      2,
    );
  });
});
