import {
  type DiscrepancyQuery,
  listDiscrepancies,
  totalOfDiscrepancies,
} from '../../../domain/settlements/discrepancy/list.ts';
import type { Database } from '../../../domain/shared/sql.ts';
import { MOST_COUNTED } from '../../../domain/shared/total.ts';
import { usePlans } from '../../support/plans.ts';

const OWNER = { tenantId: 'ten_own', mode: 'test' } as const;
const LARGE = 'stl_large';
const all: DiscrepancyQuery = {
  ...{ status: undefined, kind: undefined, slot: undefined, settlementId: undefined, days: {} },
  ...{ before: '~', limit: 26 },
};

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

const CROWD = `
insert into discrepancies (id, tenant_id, mode, connection_id, slot, status, kind, subject, amount_kobo, difference_kobo, day, detail, opened_at)
select 'dsc_7' || lpad(n::text, 25, '0'), 'ten_other', 'test', 'con', 'provider_c', 'closed', 'unknown_at_provider', 'x' || n, 100, 100,
  '2026-12-31', 'It differs.', now()
from generate_series(1, 8000) n`;

const FOUND = `
select id from discrepancies where tenant_id = 'ten_own' and id < $1 and ($2::text is null or status = $2)
  and ($3::text is null or kind = $3) and ($4::text is null or slot = $4) and ($5::text is null or settlement_id = $5)
  and day between $6 and $7 order by id desc limit 26`;

describe('A page of discrepancies reads few database pages, however many discrepancies there are', function () {
  this.timeout(60_000);
  const plans = usePlans(async (client) => {
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

  const list = (query: DiscrepancyQuery) => (db: Database) => listDiscrepancies(db, OWNER, query);
  const expectCheap = (query: DiscrepancyQuery, pages: number) =>
    plans.expectCheap(query, { pages, tables: ['discrepancies'] }, list(query));

  const combinations = statuses.flatMap((status) =>
    kinds.flatMap((kind) => providers.map((slot) => ({ status, kind, slot }))),
  );
  const some = combinations.filter((filter) =>
    [0, 1, 3].includes(Object.values(filter).filter((value) => value !== undefined).length),
  );

  it('for every combination of status, kind and provider, for a settlement too, also a large one', async () => {
    for (const settlementId of [undefined, LARGE, 'stl_1000', 'stl_none'])
      for (const filter of combinations)
        await expectCheap({ ...all, ...filter, settlementId }, 400);
  });

  it('for some days, and for the whole year: a few rows for each day of it', async () => {
    for (const [at, span] of days.slice(1).entries())
      for (const filter of some)
        await expectCheap({ ...all, ...filter, days: span }, at < 3 ? 1_200 : 15_000);
  });

  it('and so do their count and sum, which end at a bound', async () => {
    const most = { pages: 25_000, rows: MOST_COUNTED + 100, tables: ['discrepancies'] };
    for (const filter of some)
      for (const settlementId of [undefined, LARGE, 'stl_none'])
        await plans.expectCheap({ ...filter, settlementId }, most, (db) =>
          totalOfDiscrepancies(db, OWNER, { ...filter, settlementId, days: {} }),
        );
    for (const span of days.slice(1))
      await plans.expectCheap(span, most, (db) =>
        totalOfDiscrepancies(db, OWNER, { ...all, days: span }),
      );
  });

  it('and holds the rows that a scan of all of them finds', async () => {
    const before = 'dsc_00000000000000000000090000';
    const spans = [
      ...days.map((span) => ({ settlementId: undefined, days: span })),
      { settlementId: LARGE, days: {} },
    ];
    for (const [at, filter] of some.entries())
      for (const span of spans.filter((_, place) => (at + place) % 3 === 0)) {
        const query = { ...all, ...filter, ...span, before };
        const { from = '-infinity', to = 'infinity' }: { from?: string; to?: string } = span.days;
        const { status, kind, slot } = filter;
        const values = [before, status, kind, slot, span.settlementId, from, to];
        await plans.expectRows(query, list(query), FOUND, values);
      }
  });

  it('also for a tenant who has few among those of others', async () => {
    await plans.client.query(
      `delete from discrepancies where tenant_id = 'ten_own' and subject::int % 10000 <> 0`,
    );
    await plans.client.query('vacuum (analyze) discrepancies');
    for (const filter of [{}, ...some]) await expectCheap({ ...all, ...filter }, 400);
    await plans.client.query(`delete from pg_statistic where starelid = 'discrepancies'::regclass`);
    for (const filter of [{}, ...some]) await expectCheap({ ...all, ...filter }, 400);
  });
});
