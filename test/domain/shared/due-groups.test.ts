import { expect } from 'chai';
import pg from 'pg';
import { type QueueSpec, queues, type RowQueue } from '../../../domain/jobs.ts';
import {
  findDueGroups,
  oldestDueMs,
  type SweepLimits,
  takeOverdueRows,
} from '../../../domain/shared/due-groups.ts';
import { claimDueRows } from '../../../domain/shared/due-rows.ts';
import type { Sql } from '../../../domain/shared/sql.ts';
import { newDatabase } from '../../support/postgres.ts';

const QUEUE = 'notification-process';
const now = new Date('2026-03-02T09:00:00Z');
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

describe('Due rows', () => {
  let url: string;
  let session: Session;
  let sql: Sql;
  before(async () => {
    url = await newDatabase();
    session = await openSession(url);
    sql = session.sql;
  });
  after(() => session[Symbol.asyncDispose]());
  afterEach(() => sql.query('truncate notifications'));

  /** Rows of a connection, the first due so many seconds ago and each a second after another. */
  const addRows = (connection: string, count: number, dueSecondsAgo: number) =>
    sql.query(
      `insert into notifications (id, connection_id, body_sha256, body, event, payment_references,
         status, due_at, created_at)
       select $1::text || n, $1, n::text, '', 'charge', '{}', 'received',
         $3::timestamptz + n * interval '1 second', $3
       from generate_series(0, $2::int - 1) n`,
      [connection, count, secondsAgo(dueSecondsAgo)],
    );
  const limits: SweepLimits = {
    ...{ overdueMs: 1_000, waitMs: 5_000, maxWaitMs: 300_000, rowsPerGroup: 3 },
  };
  const sweep = async (at = now, page = { after: '', limit: 100 }) => {
    const swept = (await takeOverdueRows(sql, QUEUE, at, limits, page))!;
    return { ids: swept.jobs.map(({ id }) => id), next: swept.next };
  };

  for (const name of Object.keys(queues) as RowQueue[]) {
    it(`of ${name} are found by an index of their own`, async () => {
      const { table, where, group, oneRowPerGroup }: QueueSpec = queues[name];
      await sql.query(
        'set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off',
      );
      const order = oneRowPerGroup ? 'due_at' : `${group}, due_at`;
      const rows = await sql.query<Record<string, string>>(
        `explain select id from ${table} where ${where} and due_at is not null
         order by ${order} limit 1`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).to.match(/Index Scan using \w+_due/);
      await sql.query('reset all');
    });

    it(`of ${name} have an index with the condition of the queue`, async () => {
      const { table, where, group, oneRowPerGroup }: QueueSpec = queues[name];
      const [columns, condition] = oneRowPerGroup
        ? ['due_at', 'due_at is not null']
        : [`${group}, due_at`, `due_at is not null and ${where}`];
      await sql.query('begin');
      await sql.query(`create index expected on ${table} (${columns}) where ${condition}`);
      const alike = await sql.query(
        `select from pg_indexes where tablename = $1
         group by regexp_replace(indexdef, '^CREATE INDEX \\w+', '')
         having count(*) = 2 and 'expected' = any(array_agg(indexname))`,
        [table],
      );
      await sql.query('rollback');
      expect(alike).to.have.length(1);
    });
  }

  it('are swept group by group: the first of each, in turn', async () => {
    await addRows('con_a', 5, 60);
    await addRows('con_b', 2, 50);
    await addRows('con_c', 2, -10);
    expect((await sweep()).ids).to.deep.equal(['con_a0', 'con_b0', 'con_a1', 'con_b1', 'con_a2']);
    expect((await sweep()).ids, 'the first of them are enqueued').to.deep.equal([]);
  });

  it('are swept again after waits that grow', async () => {
    await addRows('con_a', 1, 60);
    const sweptAfter = async (seconds: number) =>
      (await sweep(new Date(now.getTime() + seconds * 1_000))).ids.length;
    await sweep();
    expect([await sweptAfter(9), await sweptAfter(10)]).to.deep.equal([0, 1]);
    expect([await sweptAfter(29), await sweptAfter(30)]).to.deep.equal([0, 1]);
  });

  it('are swept in pages of groups', async () => {
    for (const connection of ['con_a', 'con_b', 'con_c']) await addRows(connection, 1, 60);
    const first = await sweep(now, { after: '', limit: 2 });
    expect(first).to.deep.equal({ ids: ['con_a0', 'con_b0'], next: 'con_b' });
    const second = await sweep(now, { after: 'con_b', limit: 2 });
    expect(second).to.deep.equal({ ids: ['con_c0'], next: null });
  });

  it('are claimed by group, oldest first, and no more than asked for', async () => {
    await addRows('con_a', 5, 60);
    await addRows('con_b', 1, 60);
    await addRows('con_c', 1, -10);
    const wanted = ['con_a', 'con_b', 'con_c'].map((group) => ({ group, count: 2 }));
    const claim = async () =>
      (await claimDueRows(sql, QUEUE, wanted, now)).map(({ id }) => id).sort();
    expect(await claim()).to.deep.equal(['con_a0', 'con_a1', 'con_b0']);
    expect(await claim()).to.deep.equal(['con_a2', 'con_a3']);
  });

  for (const queue of [QUEUE, 'settlement-reconcile'] as const) {
    it(`of ${queue} are swept by one process at a time`, async () => {
      const sweepIn = (session: Sql) =>
        takeOverdueRows(session, queue, now, limits, { after: '', limit: 100 });
      await using other = await openSession(url);
      await other.sql.query('begin');
      expect(await sweepIn(other.sql)).to.deep.equal({ jobs: [], next: null });
      expect(await sweepIn(sql)).to.equal(undefined);
      await other.sql.query('commit');
      expect(await sweepIn(sql)).to.deep.equal({ jobs: [], next: null });
    });
  }

  it('that were enqueued lately can be claimed while a sweep is under way', async () => {
    await addRows('con_a', 2, 60);
    await sweep();
    await using other = await openSession(url);
    await other.sql.query('begin');
    await takeOverdueRows(other.sql, QUEUE, now, limits, { after: '', limit: 100 });
    const claimed = await claimDueRows(sql, QUEUE, [{ group: 'con_a', count: 2 }], now);
    expect(claimed.map(({ id }) => id).sort()).to.deep.equal(['con_a0', 'con_a1']);
    expect(claimed.map((row) => row.due_since)).to.deep.include.members([
      secondsAgo(60),
      secondsAgo(59),
    ]);
  });

  it('that are being claimed are not swept', async () => {
    await addRows('con_a', 2, 60);
    await using other = await openSession(url);
    await other.sql.query('begin');
    await claimDueRows(other.sql, QUEUE, [{ group: 'con_a', count: 1 }], now);
    expect((await sweep()).ids).to.deep.equal(['con_a1']);
  });

  it('are looked for by group, and the oldest has an age', async () => {
    await addRows('con_a', 3, 60);
    await addRows('con_b', 3, 90);
    await addRows('con_c', 3, -10);
    expect(await findDueGroups(sql, QUEUE, now, { after: '', limit: 10 })).to.deep.equal({
      groups: ['con_a', 'con_b'],
      next: null,
    });
    expect((await oldestDueMs(sql, now))[QUEUE]).to.equal(90_000);
  });
});

interface Session extends AsyncDisposable {
  sql: Sql;
}

/** A connection of its own; a transaction that it left open is rolled back when it ends. */
async function openSession(url: string): Promise<Session> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    sql: { query: async (text, values) => (await client.query(text, values as unknown[])).rows },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
