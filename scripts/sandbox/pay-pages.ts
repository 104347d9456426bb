import type { Sql } from '../../domain/shared/sql.ts';
import type { SandboxContext } from './context.ts';
import { type PayPageRow, payPageColumns, toPayPage } from './meant-pages.ts';
import { hasEnded, isPaid } from './payments.ts';
import type { Payment, PayPage } from './records.ts';

/** The payment or link behind the address of a page. */
export async function findPayPage(sql: Sql, accessCode: string): Promise<PayPage | undefined> {
  return (await find(sql, `p.access_code = $1 and p.kind <> 'attempt'`, [accessCode]))[0];
}

/** A page as it is now. */
export async function reloadPayPage(sql: Sql, { id }: PayPage): Promise<PayPage | undefined> {
  return (await find(sql, 'p.id = $1', [id]))[0];
}

/**
 * Every payment the control side's `reference` means, newest first: a full reference, or a charge's
 * `SV-<n>` with its 8 characters after it. A link stands for itself until something was tried at
 * it.
 */
export async function findPaymentsOf(
  { batched }: Pick<SandboxContext, 'batched'>,
  reference: string,
): Promise<PayPage[]> {
  const found = await batched.findMeantBy(reference);
  return found.filter(({ kind, attempts }) => kind !== 'link' || attempts === 0);
}

/**
 * Where the customer would pay now, of all that a reference means: the newest page that takes money
 * under a reference that is not paid. With `again`, the reference may be paid where the provider
 * lets many payments share one.
 */
export function payableOf(
  meant: readonly PayPage[],
  now: Date,
  again: boolean,
): PayPage | undefined {
  const paid = meant.filter(isPaid);
  const isPaidFor = ({ accountId, reference }: Payment) =>
    paid.some((other) => other.accountId === accountId && other.reference === reference);
  const payable = meant.filter(
    (page) =>
      page.kind !== 'attempt' &&
      !hasEnded(page, now) &&
      ((again && page.kind === 'link') || !isPaidFor(page)),
  );
  return payable.find((page) => !isPaid(page)) ?? payable[0];
}

async function find(sql: Sql, where: string, values: unknown[]): Promise<PayPage[]> {
  const rows = await sql.query<PayPageRow>(
    `select ${payPageColumns}
       from sandbox.payment_state p join sandbox.account a on a.id = p.account_id
      where ${where}`,
    values,
  );
  return rows.map(toPayPage);
}
