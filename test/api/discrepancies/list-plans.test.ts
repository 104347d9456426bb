import { expect } from 'chai';
import { Client } from 'pg';
import {
  type DiscrepancyQuery,
  listDiscrepancies,
} from '../../../domain/settlements/discrepancy/list.ts';
import { explain, pagesOf, planCacheModes } from '../../../scripts/bench/explain.ts';
import { newDatabase } from '../../support/postgres.ts';

const OWNER = { tenantId: 'ten_own', mode: 'test' } as const;
/** Holds sixteen thousand lines with another fee. */
const LARGE = 'stl_large';
const all: DiscrepancyQuery = {
  ...{ status: undefined, kind: undefined, slot: undefined, settlementId: undefined, days: {} },
  ...{ before: '~', limit: 26 },
};

/** Of each filter: no filter, a common value, a rare value, a value without rows. */
const statuses = [undefined, 'resolved', 'open', 'closed'];
const kinds = [undefined, 'fee_mismatch', 'short', 'unknown_at_provider'];
const providers = [undefined, 'provider_a', 'provider_b', 'provider_c'];
const days = [
  {},
  { from: '2026-01-01', to: '2026-01-07' },
  { from: '2026-12-24' },
  { to: '2026-01-02' },
  { from: '2026-01-01' },
  { from: '2027-02-01', to: '9999-12-31' },
];

/** Forty thousand of one year: of one large payout, and of many small ones on many days. */
const FILL = `
insert into discrepancies (id, tenant_id, mode, connection_id, slot, status, kind, subject, settlement_id, reference, amount_kobo,
  difference_kobo, day, detail, opened_at)
select 'dsc_' || lpad(n::text, 26, '0'), 'ten_own', 'test', 'con', case when n > 16000 and n % 50 = 0 then 'provider_b' else 'provider_a' end,
  case when n % 997 = 0 then 'open' else 'resolved' end, kind, n, settlement_id, n, 100, 100, day, 'It differs.', now()
from (
  select n, 'fee_mismatch' as kind, $1 as settlement_id, date '2026-06-01' as day from generate_series(1, 16000) n
  union all
  select n, case when n % 1009 = 0 then 'short' when n % 3 = 0 then 'missing' else 'amount_mismatch' end, 'stl_' || n / 50,
    date '2026-01-01' + (n - 16000) * 365 / 24001
  from generate_series(16001, 40000) n
) n`;

/** Newer than all of them, and of another tenant. */
const CROWD = `
insert into discrepancies (id, tenant_id, mode, connection_id, slot, status, kind, subject, amount_kobo, difference_kobo, day, detail, opened_at)
select 'dsc_7' || lpad(n::text, 25, '0'), 'ten_other', 'test', 'con', 'provider_c', 'closed', 'unknown_at_provider', 'x' || n, 100, 100,
  '2026-12-31', 'It differs.', now()
from generate_series(1, 8000) n`;

describe('A page of discrepancies reads few database pages, however many discrepancies there are', () => {
  let client: Client;
  before(async function () {
    this.timeout(60_000);
    client = new Client({ connectionString: await newDatabase() });
    await client.connect();
    // No connection and no tenant is there: rows refer to none.
    await client.query('set session_replication_role = replica');
    await client.query(
      `insert into settlements (id, tenant_id, mode, connection_id, slot, provider_settlement_id,
         status, step, expected_amount_kobo, created_at)
       values ($1, 'ten_own', 'test', 'con', 'provider_a', 'x', 'short', 'reconciled', 1, now())`,
      [LARGE],
    );
    await client.query(FILL, [LARGE]);
    await client.query(CROWD);
    await client.query('vacuum (analyze) discrepancies');
  });
  after(() => client.end());

  const list = (query: DiscrepancyQuery, mode: (typeof planCacheModes)[number] | 'auto' = 'auto') =>
    explain(client, mode, (db) => listDiscrepancies(db, OWNER, query));

  async function expectCheap(query: DiscrepancyQuery, most: number): Promise<void> {
    for (const planCacheMode of planCacheModes) {
      const { explained } = await list(query, planCacheMode);
      const plan = JSON.stringify(explained);
      expect(pagesOf(explained), `${JSON.stringify(query)} ${planCacheMode}: pages`).to.be.at.most(
        most,
      );
      expect(plan, `${JSON.stringify(query)} ${planCacheMode}`).not.to.match(
        /"Seq Scan"[^{}]*"Relation Name":"discrepancies"/,
      );
    }
  }

  const combinations = statuses.flatMap((status) =>
    kinds.flatMap((kind) => providers.map((slot) => ({ status, kind, slot }))),
  );

  it('for every combination of status, kind and provider', async () => {
    for (const filter of combinations) await expectCheap({ ...all, ...filter }, 400);
  }).timeout(60_000);

  it('for a settlement, also a large one, for every combination', async () => {
    for (const settlementId of [LARGE, 'stl_1000', 'stl_none']) {
      for (const filter of combinations)
        await expectCheap({ ...all, ...filter, settlementId }, 400);
    }
  }).timeout(60_000);

  /** Each filter alone, none, and all. */
  const some = combinations.filter((filter) =>
    [0, 1, 3].includes(Object.values(filter).filter((value) => value !== undefined).length),
  );

  it('for some days', async () => {
    for (const span of days.slice(1, 4))
      for (const filter of some) await expectCheap({ ...all, ...filter, days: span }, 1_200);
  }).timeout(60_000);

  it('for the whole year: a few rows for each day of it', async () => {
    for (const span of days.slice(4))
      for (const filter of some) await expectCheap({ ...all, ...filter, days: span }, 15_000);
  }).timeout(60_000);

  it('and holds the rows that a scan of all of them finds', async () => {
    const before = 'dsc_00000000000000000000090000';
    const spans = [
      ...days.map((span) => ({ settlementId: undefined, days: span })),
      { settlementId: LARGE, days: {} },
    ];
    for (const { status, kind, slot } of some) {
      for (const { settlementId, days: span } of spans) {
        const { from, to }: { from?: string; to?: string } = span;
        const { rows } = await client.query(
          `select id from discrepancies where tenant_id = 'ten_own' and id < $1 and ($2::text is null or status = $2)
             and ($3::text is null or kind = $3) and ($4::text is null or slot = $4) and ($5::text is null or settlement_id = $5)
             and day between $6 and $7 order by id desc limit 26`,
          [before, status, kind, slot, settlementId, from ?? '-infinity', to ?? 'infinity'],
        );
        const query = { ...all, status, kind, slot, settlementId, days: span, before };
        const found = (await list(query)).result.map(({ id }) => id);
        expect(found, JSON.stringify(query)).to.deep.equal(rows.map(({ id }) => id));
      }
    }
  }).timeout(60_000);

  it('also for a tenant who has few among those of others', async () => {
    await client.query(
      `delete from discrepancies where tenant_id = 'ten_own' and subject::int % 10000 <> 0`,
    );
    await client.query('vacuum (analyze) discrepancies');
    for (const filter of [{}, ...some]) await expectCheap({ ...all, ...filter }, 400);
    await client.query('delete from pg_statistic where starelid = $1::regclass', ['discrepancies']);
    for (const filter of [{}, ...some]) await expectCheap({ ...all, ...filter }, 400);
  }).timeout(60_000);
});
