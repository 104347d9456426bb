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
  afterEach(() => sql.query('truncate notifications; delete from attempts'));

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

  const indexesOf = ({ where, group, oneRowPerGroup, isFoundByTime }: QueueSpec) => {
    const ofQueue = `due_at is not null and ${where}`;
    if (oneRowPerGroup) return [['due_at', 'due_at is not null']];
    return [[`${group}, due_at`, ofQueue], ...(isFoundByTime ? [['due_at', ofQueue]] : [])];
  };
  for (const name of Object.keys(queues) as RowQueue[]) {
    it(`of ${name} are found by indexes of their own`, async () => {
      await sql.query(
        'set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off',
      );
      const { table, where } = queues[name];
      for (const [columns] of indexesOf(queues[name])) {
        const rows = await sql.query<Record<string, string>>(
          `explain select id from ${table} where ${where} and due_at is not null
           order by ${columns} limit 1`,
        );
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan).to.match(/Index Scan using \w+_(due|time)/);
      }
      await sql.query('reset all');
    });

    it(`of ${name} have indexes with the condition of the queue`, async () => {
      const { table } = queues[name];
      for (const [columns, condition] of indexesOf(queues[name])) {
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
      }
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
    const found = await findDueGroups(sql, [QUEUE, 'refund-check'], now, { limit: 10 });
    expect([...found]).to.deep.equal([[QUEUE, { groups: ['con_a', 'con_b'], next: null }]]);
    expect((await oldestDueMs(sql, now))[QUEUE]).to.equal(90_000);
  });

  it('are looked for in pages of groups', async () => {
    for (const connection of ['con_a', 'con_b', 'con_c']) await addRows(connection, 1, 60);
    const page = async (after?: string) =>
      (await findDueGroups(sql, [QUEUE], now, { after, limit: 2 })).get(QUEUE);
    expect(await page()).to.deep.equal({ groups: ['con_a', 'con_b'], next: 'con_b' });
    expect(await page('con_b')).to.deep.equal({ groups: ['con_c'], next: null });
  });

  it('that mostly wait are looked for by time, and group by group where many are due', async () => {
    await sql.query('set session_replication_role = replica');
    const addAttempts = (connection: string, count: number, dueSecondsAgo: number) =>
      sql.query(
        `insert into attempts (id, charge_id, connection_id, slot, reference, status, due_at,
           created_at)
         select $1::text || n, $1 || n, $1, 'provider_a', $1 || n, 'open', $3, $3
         from generate_series(1, $2::int) n`,
        [connection, count, secondsAgo(dueSecondsAgo)],
      );
    const page = async (after?: string) =>
      (await findDueGroups(sql, ['charge-check'], now, { after, limit: 3 })).get('charge-check');
    for (let n = 0; n < 10; n++) await addAttempts(`con_${n}`, 1, -10);
    await addAttempts('con_b', 1, 90);
    await addAttempts('con_a', 1, 60);
    expect(await page()).to.deep.equal({ groups: ['con_a', 'con_b'], next: null });
    expect((await oldestDueMs(sql, now))['charge-check']).to.equal(90_000);
    await addAttempts('con_c', 5, 120);
    expect(await page()).to.deep.equal({ groups: ['con_c'], next: '' });
    expect(await page('')).to.deep.equal({ groups: [], next: 'con_2' });
    expect(await page('con_8')).to.deep.equal({ groups: ['con_a', 'con_b'], next: 'con_b' });
    await sql.query('reset session_replication_role');
  });
});
