import { balancesAt } from '../../../domain/journal/balances.ts';
import { type EntryQuery, listEntries } from '../../../domain/journal/entries.ts';
import { debitedBefore } from '../../../domain/journal/running-totals.ts';
import { takeSnapshots } from '../../../domain/journal/snapshots.ts';
import { postedLines } from '../../../domain/payments/posting/posted-lines.ts';
import type { SettlementAccount } from '../../../domain/settlements/account/account.ts';
import { nextSources } from '../../../domain/settlements/books/sources.ts';
import {
  openAccounts,
  readLate,
  readOpen,
  readPayouts,
} from '../../../domain/settlements/statement/read-lines.ts';
import { firstIdAt } from '../../../domain/shared/ids.ts';
import type { Database } from '../../../domain/shared/sql.ts';
import { usePlans } from '../../support/plans.ts';

const OWNER = { tenantId: 'ten_own', mode: 'test' } as const;
/** A posting is made each second from here on. */
const START = new Date('2026-01-01T00:00:00Z');
const second = (seconds: number) => new Date(START.getTime() + seconds * 1_000);
const POSTINGS = 60_000;
/** Of snapshots. */
const STEP = 1_000;

/** Captures and their fees, but for few. `provider_b` states no fees, and nothing is rare there. */
const FILL = `
insert into postings (id, tenant_id, mode, connection_id, debit, credit, amount_kobo, type, source, sequence, occurred_at, created_at)
select made_at || $4 || lpad(n::text, 15, '0'), $2, 'test', connection, debit, credit, 100, type, 'cap_' || n, 1, now(), now()
from (
  select n, left(id, 14) as made_at, case n % 7 when 0 then $3 || '_b' else $3 || '_a' end as connection
  from unnest($1::text[]) with ordinality made (id, n)
) n, lateral (
  select * from (values
    (n % 7 <> 0 and n % 9001 = 1, 'payers', 'collected', 'capture'), (n % 7 <> 0 and n % 7001 = 1, 'at_provider', 'payers', 'capture'),
    (n % 7 <> 0 and n % 5003 = 1, 'payers', 'at_provider', 'refund'), (n % 7 <> 0 and n % 301 = 1, 'refunds', 'at_provider', 'refund'),
    (n % 7 <> 0 and n % 3001 = 1, 'held_by_dispute', 'at_provider', 'dispute'),
    (n % 7 <> 0 and n % 4001 = 1, 'bank', 'at_provider', 'payout'),
    (n % 7 <> 0 and n % 20011 = 1, 'differences', 'at_provider', 'difference'),
    (n % 7 = 0 or n % 2 = 0, 'at_provider', 'collected', 'capture'), (true, 'fees', 'at_provider', 'fee')
  ) kinds (fits, debit, credit, type) where fits limit 1) kind`;

const FOUND = `
select p.id from postings p join connections c on c.id = connection_id where p.tenant_id = 'ten_own' and $1 in (debit, credit)
  and ($2::text is null or type = $2) and ($3::text is null or slot = $3) and p.id >= $4 and p.id < $5 order by p.id desc limit 26`;

describe('However many postings there are', function () {
  this.timeout(60_000);
  const plans = usePlans(async (client) => {
    for (const [at, owner] of ['own', 'other'].entries()) {
      await client.query(
        `insert into connections (id, tenant_id, mode, slot, adapter, credentials, position, created_at)
         select 'con_' || $1 || '_' || slot, 'ten_' || $1, 'test', 'provider_' || slot, 'paystack', '', 0, now()
         from unnest('{a,b}'::text[]) slot`,
        [owner],
      );
      await client.query(
        `insert into tenants (id, name, time_zone, created_at)
         values ('ten_' || $1, 'Shop', 'Africa/Lagos', now())`,
        [owner],
      );
      const count = owner === 'own' ? POSTINGS : POSTINGS / 3;
      const ids = Array.from({ length: count }, (_, n) => firstIdAt('btx', second(n)));
      await client.query(FILL, [ids, `ten_${owner}`, `con_${owner}`, at]);
    }
    await client.query('vacuum (analyze) postings, connections');
    const query = async (text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows as never;
    const db: Database = { query, transaction: (work) => work({ query }) };
    while ((await takeSnapshots({ db, now: second(POSTINGS) }, STEP)) > 0);
  });

  const all: EntryQuery = {
    ...{ account: 'at_provider', posted: { start: null, end: null }, before: '~', limit: 26 },
  };
  const accounts = [
    ...(['at_provider', 'bank', 'collected', 'fees', 'refunds', 'payers', 'written_off'] as const),
  ];
  const queries = accounts.flatMap((account) =>
    ([undefined, 'capture', 'fee', 'refund', 'difference'] as const).flatMap((type) =>
      ([undefined, 'provider_b'] as const).flatMap((slot) =>
        [
          all.posted,
          { start: null, end: second(9) },
          { start: second(POSTINGS / 2), end: null },
        ].map((posted): EntryQuery => ({ ...all, account, type, slot, posted })),
      ),
    ),
  );
  const list = (query: EntryQuery) => (db: Database) => listEntries(db, OWNER, query);

  it('a page of them reads few, for every combination of filters', async () => {
    for (const query of queries)
      await plans.expectCheap(query, { pages: 400, tables: ['postings'] }, list(query));
  });

  it('and holds those that a scan of all of them finds', async () => {
    for (const query of queries) {
      const { account, type, slot, posted } = query;
      const ids = [posted.start ?? second(-99), posted.end ?? second(POSTINGS)].map((at) =>
        firstIdAt('btx', at),
      );
      await plans.expectRows(query, list(query), FOUND, [account, type, slot, ...ids]);
    }
  });

  it('a page of a file reads its rows, wherever it begins', async () => {
    for (const start of [null, second(-1), second(POSTINGS / 2), second(POSTINGS - 1)])
      await plans.expectCheap(start, { pages: 3_000, rows: 1_000, tables: ['postings'] }, (db) =>
        postedLines((work) => work(db), OWNER, { start, end: second(POSTINGS) }).next(),
      );
  });

  it('balances read few, now and at any moment', async () => {
    for (const at of [null, second(-1), second(1_000), second(POSTINGS / 2), second(POSTINGS - 1)])
      await plans.expectCheap(at, { pages: 150, rows: STEP, tables: ['postings'] }, (db) =>
        balancesAt(db, OWNER, at),
      );
  });

  it('the balances of thirty days read few each', async () => {
    const days = Array.from({ length: 30 }, (_, n) => second((n * POSTINGS) / 30));
    await plans.expectCheap(
      'history',
      { pages: 30 * 150, rows: 30 * STEP, tables: ['postings'] },
      (db) => debitedBefore(db, OWNER, 'at_provider', days),
    );
  });

  it('the check of the books reads few for a connection that has none', async () => {
    for (const part of ['payments', 'settlements', 'strays', 'snapshots'] as const)
      await plans.expectCheap(part, { pages: 20, rows: 1, tables: ['postings'] }, (db) =>
        nextSources(db, { id: 'con_none' } as SettlementAccount, { part, after: '' }),
      );
  });

  it('a statement finds what is late, paid out or open, and reads nothing else', async () => {
    const wanted = {
      ...{ ...OWNER, slot: null, accounts: [...openAccounts] },
      ...{ startAt: second(0), yearBefore: '2025-01-01' },
      ...{ start: firstIdAt('btx', second(0)), end: firstIdAt('btx', second(POSTINGS)) },
    };
    for (const read of [readLate, readPayouts, readOpen])
      await plans.expectCheap(
        read.name,
        { pages: 400, rows: 100, tables: ['postings', 'postings_default'] },
        (db) => read(db, wanted),
      );
  });
});
