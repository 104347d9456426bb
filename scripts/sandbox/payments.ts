import { randomBytes } from 'node:crypto';
import type { Sql } from '../../domain/shared/sql.ts';
import type { SandboxContext } from './context.ts';
import type { NewPage, Opened, Order } from './new-pages.ts';
import type { Account, Payment } from './records.ts';
import { all, first, firstOf, listPage, type Page, type Window } from './rows.ts';

/**
 * An account's payments of a reference. The sum hides the account from the planner: without
 * statistics it would take an account's index, and read all that the account has.
 */
export const ofReference = 'account_id + 0 = $1 and reference = $2';

/**
 * Opens a payment. Undefined when the account used the reference before: of two at once, one is
 * accepted.
 */
export async function createPayment(
  { batched }: SandboxContext,
  account: Account,
  order: Order,
): Promise<Opened | undefined> {
  return batched.openPage({ accountId: account.id, kind: 'payment', order: complete(order) });
}

/**
 * Opens a page to pay at, which is no payment until a customer tries; `again` when the account used
 * the reference before: of two at once, the later one.
 */
export async function createLink(
  { batched }: SandboxContext,
  account: Account,
  order: Order & { reference: string },
): Promise<Opened> {
  const opened = await batched.openPage({
    accountId: account.id,
    kind: 'link',
    order: complete(order),
  });
  return opened!;
}

/**
 * From node:crypto and not from context.random, which tests may hold still: two payments must never
 * share a page.
 */
function complete(order: Order): NewPage['order'] {
  return {
    ...order,
    reference: order.reference ?? randomBytes(5).toString('hex'),
    accessCode: order.accessCode ?? randomBytes(8).toString('hex').slice(0, 15),
  };
}

/** Ends a page now. Money taken there before stays. */
export async function endPage(sql: Sql, page: Payment, now: Date): Promise<void> {
  await sql.query('update sandbox.payment set link_expires_at = $2 where id = $1', [page.id, now]);
}

/** Whether money was taken, whatever became of it since. */
export function isPaid({ status }: Payment): boolean {
  return status !== 'open' && status !== 'failed';
}

/** Whether its page takes no money any more because its time is over. */
export function hasEnded({ linkExpiresAt }: Payment, now: Date): boolean {
  return linkExpiresAt !== null && linkExpiresAt <= now;
}

export function findPaymentById(sql: Sql, id: number): Promise<Payment | undefined> {
  return first<Payment>(sql, 'select * from sandbox.payment_state where id = $1', [id]);
}

/** A page of records with the payment of each, read in one statement. */
export async function withPayments<Entity extends { paymentId: number }>(
  sql: Sql,
  page: Page<Entity>,
): Promise<Page<[Entity, Payment]>> {
  const ids = page.rows.map(({ paymentId }) => paymentId);
  const payments = await all<Payment>(
    sql,
    'select * from sandbox.payment_state where id = any($1::bigint[])',
    [ids],
  );
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  return { ...page, rows: page.rows.map((row) => [row, byId.get(row.paymentId)!]) };
}

/** An account's payment or newest attempt, by its own reference. */
export function findPaymentByReference(
  sql: Sql,
  account: Account,
  reference: string,
): Promise<Payment | undefined> {
  return firstOf<Payment>(
    sql,
    'sandbox.payment_state',
    `${ofReference} and kind <> 'link' order by id desc limit 1`,
    [account.id, reference],
  );
}

/**
 * What was tried last at a page: the payment itself once anything was, or the newest attempt at a
 * link.
 */
export async function findLastTry(sql: Sql, page: Payment): Promise<Payment | undefined> {
  if (page.kind === 'payment') return page.attempts > 0 ? page : undefined;
  return first<Payment>(
    sql,
    'select * from sandbox.payment_state where link_id = $1 order by id desc limit 1',
    [page.id],
  );
}

/** An account's payments and attempts, newest first. */
export function listPayments(
  sql: Sql,
  account: Account,
  conditions: Record<string, unknown>,
  window: Window,
): Promise<Page<Payment>> {
  const volume = 'coalesce(paid_kobo, requested_kobo)';
  return listPage<Payment>(
    sql,
    'sandbox.payment_state',
    { 'account_id = ?': account.id, 'kind <> ?': 'link', ...conditions },
    window,
    volume,
  );
}
