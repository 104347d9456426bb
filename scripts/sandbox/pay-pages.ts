import type { Sql } from '../../domain/shared/sql.ts';
import { hasEnded, isPaid } from './payments.ts';
import type { Account, Payment } from './records.ts';
import { toRecord } from './rows.ts';

/** A payment or link with its account: what it takes to pay there. */
export interface PayPage extends Payment {
  account: Account;
}

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
export async function findPaymentsOf(sql: Sql, reference: string): Promise<PayPage[]> {
  const found = await findMeantBy(sql, reference);
  return found.filter(({ kind, attempts }) => kind !== 'link' || attempts === 0);
}

/** The same, and every link too. */
export function findMeantBy(sql: Sql, reference: string): Promise<PayPage[]> {
  return find(sql, `${meantBy} order by p.id desc`, rangeOf(reference));
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
  const rows = await sql.query<{ payment: object; account: object }>(
    `select to_json(p) as payment, to_json(a) as account
       from sandbox.payment_state p join sandbox.account a on a.id = p.account_id
      where ${where}`,
    values,
  );
  return rows.map(({ payment, account }) => ({
    ...toRecord<Payment>(payment),
    account: toRecord<Account>(account),
  }));
}

/**
 * $1 is the reference, $2 the last one in the order of the index, $3 a pattern. The range is there
 * for the index: a plan for every pattern uses none.
 */
const meantBy = `p.reference ~>=~ $1 and p.reference ~<=~ $2
  and (p.reference = $1 or p.reference like $3)`;

function rangeOf(reference: string): [from: string, to: string, pattern: string | null] {
  return /^SV-\d+$/.test(reference)
    ? [reference, `${reference}.`, `${reference}-________`]
    : [reference, reference, null];
}
