import type { Sql } from '../../domain/shared/sql.ts';
import type { Account, Payment, PayPage } from './records.ts';
import { askedRows, columnsOf, toRecord } from './rows.ts';

/** What a statement returns of a page: `p` is its `payment_state`, `a` its account. */
export const payPageColumns = `to_json(p) as payment, to_json(a) as account,
  case p.kind when 'link' then nextval('sandbox.payment_id_seq') end as attempt_id`;

export interface PayPageRow {
  payment: object;
  account: object;
  attempt_id: number | null;
}

export function toPayPage({ payment, account, attempt_id: attemptId }: PayPageRow): PayPage {
  return { ...toRecord<Payment>(payment), account: toRecord<Account>(account), attemptId };
}

/**
 * Every payment, link and attempt that the control side's references mean, newest first: a full
 * reference, or a charge's `SV-<n>` with its 8 characters after it.
 */
export async function findMeantPages(
  sql: Sql,
  references: readonly string[],
): Promise<PayPage[][]> {
  const rows = await sql.query<PayPageRow & { n: number }>(
    statement,
    columnsOf(references, rangeOf),
  );
  const pages: PayPage[][] = references.map(() => []);
  for (const row of rows) pages[row.n - 1]!.push(toPayPage(row));
  return pages;
}

/** The range is there for the index: a plan for every pattern uses none. */
const statement = `
  select asked.n, ${payPageColumns}
    from ${askedRows({ first: 'text', last: 'text', pattern: 'text' }, 1)}
   cross join lateral (
           select * from sandbox.payment_state p
            where p.reference ~>=~ asked.first and p.reference ~<=~ asked.last
              and (p.reference = asked.first or p.reference like asked.pattern) offset 0) p
    join sandbox.account a on a.id = p.account_id
   order by p.id desc`;

/** The first reference in the order of the index, the last one, and a pattern. */
function rangeOf(reference: string): [first: string, last: string, pattern: string | null] {
  return /^SV-\d+$/.test(reference)
    ? [reference, `${reference}.`, `${reference}-________`]
    : [reference, reference, null];
}
