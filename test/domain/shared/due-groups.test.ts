import { expect } from 'chai';
import pg from 'pg';
import { type QueueSpec, queues, type RowQueue } from '../../../domain/jobs.ts';
import { findDueGroups, oldestDueMs } from '../../../domain/shared/due-groups.ts';
import { claimRows } from '../../../domain/shared/due-rows.ts';
import type { Sql } from '../../../domain/shared/sql.ts';
import { newDatabase } from '../../support/postgres.ts';

const QUEUE = 'notification-process';
const now = new Date('2026-03-02T09:00:00Z');
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

describe('Due rows', () => {
  let client: pg.Client;
  let sql: Sql;
  before(async () => {
    client = new pg.Client(await newDatabase());
    await client.connect();
    sql = { query: async (text, values) => (await client.query(text, values as unknown[])).rows };
  });
  after(() => client.end());
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
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).to.match(/Index Scan using \w+_due/);
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

  it('are claimed by group, oldest first, and no more than asked for', async () => {
    await addRows('con_a', 5, 60);
    await addRows('con_b', 1, 60);
    await addRows('con_c', 1, -10);
    const wanted = ['con_a', 'con_b', 'con_c'].map((group) => ({ group, count: 2 }));
    const claim = async () =>
      (await claimRows(sql, QUEUE, wanted, now)).map((row) => [row.id, row.due_since]).sort();
    expect(await claim()).to.deep.equal([
      ['con_a0', secondsAgo(60)],
      ['con_a1', secondsAgo(59)],
      ['con_b0', secondsAgo(60)],
    ]);
    expect((await claim()).map(([id]) => id)).to.deep.equal(['con_a2', 'con_a3']);
  });

  it('are looked for by group, and the oldest has an age', async () => {
    await addRows('con_a', 3, 60);
    await addRows('con_b', 3, 90);
    await addRows('con_c', 3, -10);
    const found = await findDueGroups(sql, [QUEUE, 'refund-check'], now, { after: '', limit: 10 });
    expect([...found]).to.deep.equal([[QUEUE, { groups: ['con_a', 'con_b'], next: null }]]);
    expect((await oldestDueMs(sql, now))[QUEUE]).to.equal(90_000);
  });

  it('are looked for in pages of groups', async () => {
    for (const connection of ['con_a', 'con_b', 'con_c']) await addRows(connection, 1, 60);
    const page = async (after: string) =>
      (await findDueGroups(sql, [QUEUE], now, { after, limit: 2 })).get(QUEUE);
    expect(await page('')).to.deep.equal({ groups: ['con_a', 'con_b'], next: 'con_b' });
    expect(await page('con_b')).to.deep.equal({ groups: ['con_c'], next: null });
  });
});
