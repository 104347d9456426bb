import { expect } from 'chai';
import { Client } from 'pg';
import { type ChargeFilter, listCharges } from '../../../domain/payments/charge/list.ts';
import { firstIdAt, newId } from '../../../domain/shared/ids.ts';
import type { Database } from '../../../domain/shared/sql.ts';
import { emailOf, fillLedger, HEAVY_EMAIL } from '../../../scripts/bench/list-rows.ts';
import { DAY } from '../../support/clock.ts';
import { newDatabase } from '../../support/postgres.ts';

const ROWS = 25_000;
const END = new Date('2026-06-30T12:00:00Z');
const day = (daysAgo: number) => new Date(END.getTime() - daysAgo * DAY);

/** For each filter a common value, a rare value, and a value without rows. */
const values: Record<keyof typeof setters, readonly (string | Date)[]> = {
  status: ['settled', 'disputed', 'initiated'],
  provider: ['provider_a', 'provider_c'],
  channel: ['card', 'qr', 'mobile_money'],
  customer: [HEAVY_EMAIL, emailOf(123), 'nobody@mail.example'],
  from: [day(365), day(1), day(-1)],
  to: [day(-1), day(364), day(366)],
};

const setters = {
  status: (filter: ChargeFilter, value: any) => ({ ...filter, status: value }),
  provider: (filter: ChargeFilter, value: any) => ({ ...filter, slot: value }),
  channel: (filter: ChargeFilter, value: any) => ({ ...filter, channel: value }),
  customer: (filter: ChargeFilter, value: any) => ({ ...filter, email: value }),
  from: (filter: ChargeFilter, value: any) => ({
    ...filter,
    occurred: { ...filter.occurred, start: value },
  }),
  to: (filter: ChargeFilter, value: any) => ({
    ...filter,
    occurred: { ...filter.occurred, end: value },
  }),
};

type Name = keyof typeof setters;
const names = Object.keys(setters) as Name[];
const none: ChargeFilter = { occurred: { start: null, end: null } };

/** Every filter with every value these names can have. */
function filtersOf(...used: Name[]): ChargeFilter[] {
  return used.reduce(
    (filters, name) =>
      filters.flatMap((filter) => values[name].map((value) => setters[name](filter, value))),
    [none],
  );
}

/** Twenty thousand unpaid charges of another tenant, newer than all others. */
const CROWD = `
insert into charges (id, tenant_id, mode, number, status, amount_kobo, currency, email, metadata, provider_wanted, slot, connection_id,
  created_by, occurred_at, created_at, expires_at)
select $2 || lpad(n::text, 16, '0'), $1, mode, -n, 'pending', 100000, 'NGN', 'crowd@mail.example', '{}', 'auto', 'provider_a', connection_id,
  'secret', created_at + interval '1 year', created_at + interval '1 year', expires_at
from (select * from charges limit 1) any_charge, generate_series(1, 10000) n`;

/** A node of a plan as Postgres ran it. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

describe('A page of transactions reads few database pages, however many transactions there are', () => {
  const tenantId = newId('ten', END);
  let client: Client;
  before(async function () {
    this.timeout(120_000);
    const databaseUrl = await newDatabase();
    await fillLedger(databaseUrl, { tenantId, rows: ROWS, end: END });
    client = new Client({ connectionString: databaseUrl });
    await client.connect();
  });
  after(() => client.end());

  let prepared = 0;

  /** Runs statements prepared, as the pool does, and records their plans. */
  async function explaining(planCacheMode: string): Promise<{ db: Database; plans: PlanNode[] }> {
    await client.query(`set plan_cache_mode = ${planCacheMode}`);
    const plans: PlanNode[] = [];
    const query = async (text: string, args: readonly unknown[] = []): Promise<any[]> => {
      if (text.includes('set_config')) return (await client.query(text)).rows;
      const name = `statement_${++prepared}`;
      await client.query(`prepare ${name} as ${text}`);
      const execute = `execute ${name} (${args.map(literalOf).join(', ')})`;
      const explained = await client.query(
        `explain (analyze, buffers, timing off, format json) ${execute}`,
      );
      const plan: PlanNode = explained.rows[0]['QUERY PLAN'][0].Plan;
      plans.push(plan);
      await client.query(`deallocate ${name}`);
      // All that the list looks at is how many there are.
      return Array.from({ length: plan['Actual Rows'] }, () => ({ id: '' }));
    };
    const transaction: Database['transaction'] = async (work) => {
      await client.query('begin');
      const result = await work({ query });
      await client.query('commit');
      return result;
    };
    return { db: { query, transaction }, plans };
  }

  function literalOf(value: unknown): string {
    if (value === null) return 'null';
    if (Array.isArray(value)) return `'{${value.map((item) => `"${item}"`).join(',')}}'`;
    return value instanceof Date
      ? client.escapeLiteral(value.toISOString())
      : client.escapeLiteral(String(value));
  }

  /** Expects that a list of 25 reads few rows and pages, and charges by an index alone. */
  async function expectCheap(filter: ChargeFilter, planCacheMode: string): Promise<void> {
    const { db, plans } = await explaining(planCacheMode);
    await listCharges(db, { tenantId, mode: 'test' }, filter, { before: '~', most: 26 });
    const what = `${JSON.stringify(filter)} ${planCacheMode}`;
    const nodes = plans.flatMap(nodesOf);
    const reads = nodes.filter((node) => node['Relation Name'] === 'charges');
    expect(
      reads.map((node) => node['Node Type']),
      what,
    ).not.to.include('Seq Scan');
    const rows = reads.map(
      (node) =>
        node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
    );
    expect(Math.max(...rows), `${what}: rows of one step`).to.be.at.most(1_000);
    const blocks = plans.map((plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
    expect(
      blocks.reduce((sum, count) => sum + count, 0),
      `${what}: pages`,
    ).to.be.at.most(2_000);
  }

  async function expectEveryPairCheap(planCacheMode: string): Promise<void> {
    const singles = names.map((name) => [name]);
    const pairs = names.flatMap((one, index) =>
      names.slice(index + 1).map((other) => [one, other]),
    );
    for (const used of [[], ...singles, ...pairs]) {
      for (const filter of filtersOf(...used)) await expectCheap(filter, planCacheMode);
    }
  }

  for (const planCacheMode of ['force_generic_plan', 'force_custom_plan']) {
    it(`for every filter and every pair of filters (${planCacheMode})`, async function () {
      this.timeout(60_000);
      await expectEveryPairCheap(planCacheMode);
    });
  }

  it('where most are alike, and the newest are of another tenant', async function () {
    this.timeout(60_000);
    await client.query('set session_replication_role = replica'); // nothing refers to these charges, and checking each takes long
    await client.query(
      `delete from charges where slot <> 'provider_a' or status not in ('settled', 'failed') or channel in ('ussd', 'qr')`,
    );
    await client.query(CROWD, [newId('ten', END), firstIdAt('txn', day(-1)).slice(0, 14)]);
    await client.query('reset session_replication_role');
    await client.query('vacuum (analyze) charges');
    for (const planCacheMode of ['force_generic_plan', 'force_custom_plan'])
      await expectEveryPairCheap(planCacheMode);
  });

  it('with statistics from before the charges', async () => {
    await client.query('delete from pg_statistic where starelid = $1::regclass', ['charges']);
    for (const name of names)
      for (const filter of filtersOf(name, 'from')) await expectCheap(filter, 'auto');
  });
});

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
