import type { Sql } from '../../domain/shared/sql.ts';
import { wrongBalances } from '../audit/books.ts';
import { forgottenRows } from '../audit/forgotten-rows.ts';
import { until } from '../local/until.ts';
import type { BenchRun } from './bench.ts';
import type { CustomerCharge, PipelineStack } from './pipeline-stack.ts';

/** Customers pay whatever they see, also what was replaced: a second payment must go back. */
const KEPT_TWICE = `
  select id from captures k where status = 'duplicate'
    and not exists (select from refunds where capture_id = k.id)
    and not exists (select from reviews where capture_id = k.id)`;

const PAID_WITHIN_MS = 30_000;

/** Counts what must be zero. */
export async function auditLives(
  { stopped }: BenchRun,
  { stack }: PipelineStack,
  charges: ReadonlyMap<string, CustomerCharge>,
) {
  const sql: Sql = stack.context.db;
  const numbers = [...charges.keys()].map((reference) => Number(reference.slice(3)));
  const unpaid = () =>
    sql.query(
      `select number from unnest($1::bigint[]) as asked (number) where not exists (
         select from charges c where c.number = asked.number
           and c.status in ('succeeded', 'settled'))`,
      [numbers],
    );
  await until({ everyMs: 500, withinMs: PAID_WITHIN_MS, ended: stopped }, async () =>
    (await unpaid()).length === 0 ? true : undefined,
  );
  return {
    not_paid: (await unpaid()).length,
    without_webhook: [...charges.values()].filter(({ webhookAtMs }) => !webhookAtMs).length,
    kept_twice: (await sql.query(KEPT_TWICE)).length,
    books_wrong: (await wrongBalances(sql)).length,
    stuck: (await forgottenRows(sql, stack.context.clock())).length,
  };
}
