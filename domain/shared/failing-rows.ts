import { type DueRow, type QueueSpec, queues, type RowQueue } from '../jobs.ts';
import type { Sql } from './sql.ts';

/** More than eight tries in a row failed. */
export interface FailingRow extends DueRow {
  group: string;
  queue: RowQueue;
  failures: number;
  last_error: string | null;
  /** Or its lease ends. */
  due_at: Date;
}

/** Each table has an index of nothing else. */
export async function findFailingRows(sql: Sql, most: number): Promise<FailingRow[]> {
  const tables = Map.groupBy(Object.entries(queues), ([, { table }]) => table);
  const found = [...tables].map(([table, ofTable]) => failingRowsOf(table, ofTable));
  return sql.query<FailingRow>(
    `select * from (${found.map((select) => `(${select})`).join(' union all ')}) failing
     where queue is not null order by failures desc, id limit $1`,
    [most],
  );
}

/** Exactly the index's condition, so that no other one is read. */
function failingRowsOf(table: string, ofTable: [string, QueueSpec][]): string {
  const queueOf = ofTable.map(([queue, { where }]) => `when ${where} then '${queue}'`).join(' ');
  const [[, { group }]] = ofTable as [[string, QueueSpec]];
  return `
    select case ${queueOf} end as queue, id, ${group} as "group", tries, failures, last_error, due_at
    from ${table} where failures > 8 and due_at is not null order by failures desc limit $1`;
}
