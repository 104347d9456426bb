import { randomBytes } from 'node:crypto';
import type { Sql } from '../../domain/shared/sql.ts';
import type { SandboxContext } from './context.ts';
import type { Account, Payment } from './records.ts';
import { all, first, listPage, type Page, type Window } from './rows.ts';

export interface Order {
  reference?: string | undefined;
  /** What the page's address ends in, where the provider says it; else it is made up. */
  accessCode?: string | undefined;
  email: string;
  customerName?: string | undefined;
  customerPhone?: string | undefined;
  description?: string | undefined;
  amountKobo: number;
  callbackUrl?: string | undefined;
  /** JSON. */
  metadata?: string | undefined;
  /** From here on the page takes no money; absent: never. */
  linkExpiresAt?: Date | undefined;
}

/**
 * An account's payments of a reference. The sum hides the account from the planner: without
 * statistics it would take an account's index, and read all that the account has.
 */
export const ofReference = 'account_id + 0 = $1 and reference = $2';

type Opened = Pick<Payment, 'reference' | 'accessCode'>;

/**
 * Opens a payment. Undefined when the account used the reference before: of two at once, one is
 * accepted.
 */
export function createPayment(
  context: SandboxContext,
  account: Account,
  order: Order,
): Promise<Opened | undefined> {
  return insert(context.sql, context.now(), account, 'payment', order);
}

/**
 * Opens a page to pay at, which is no payment until a customer tries; `again` when the account used
 * the reference before.
 */
export function createLink(
  context: SandboxContext,
  account: Account,
  order: Order & { reference: string },
): Promise<Opened & { again: boolean }> {
  return context.sql.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1::integer, hashtext($2))', [
      account.id,
      order.reference,
    ]);
    const earlier = await tx.query(`select 1 from sandbox.payment where ${ofReference} limit 1`, [
      account.id,
      order.reference,
    ]);
    const opened = await insert(tx, context.now(), account, 'link', order);
    return { ...opened!, again: earlier.length > 0 };
  });
}

function insert(
  sql: Sql,
  now: Date,
  account: Account,
  kind: 'payment' | 'link',
  order: Order,
): Promise<Opened | undefined> {
  return first(
    sql,
    `insert into sandbox.payment (account_id, kind, reference, access_code, email, customer_name,
                                  customer_phone, description, callback_url, metadata,
                                  requested_kobo, created_at, link_expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (account_id, reference) where kind = 'payment' do nothing
       returning reference, access_code`,
    [
      account.id,
      kind,
      order.reference ?? randomBytes(5).toString('hex'),
      // From node:crypto and not from context.random, which tests may hold still: two payments must
      // never share a page.
      order.accessCode ?? randomBytes(8).toString('hex').slice(0, 15),
      order.email,
      order.customerName ?? null,
      order.customerPhone ?? null,
      order.description ?? null,
      order.callbackUrl ?? null,
      order.metadata ?? null,
      order.amountKobo,
      now,
      order.linkExpiresAt ?? null,
    ],
  );
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

/** The payment or link behind a page. */
export function findPaymentByAccessCode(
  sql: Sql,
  accessCode: string,
): Promise<Payment | undefined> {
  return first<Payment>(
    sql,
    `select * from sandbox.payment_state where access_code = $1 and kind <> 'attempt'`,
    [accessCode],
  );
}

/** An account's payment or newest attempt, by its own reference. */
export function findPaymentByReference(
  sql: Sql,
  account: Account,
  reference: string,
): Promise<Payment | undefined> {
  return first<Payment>(
    sql,
    `select * from sandbox.payment_state where ${ofReference} and kind <> 'link'
     order by id desc limit 1`,
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

/**
 * Every payment the control side's `reference` means, newest first: a full reference, or a charge's
 * `SV-<n>` with its 8 characters after  it. A link stands for itself until something was tried at
 * it.
 */
export function findPaymentsOf(sql: Sql, reference: string): Promise<Payment[]> {
  return all<Payment>(
    sql,
    `select * from sandbox.payment_state where ${meantBy} and (kind <> 'link' or attempts = 0)
      order by id desc`,
    rangeOf(reference),
  );
}

/**
 * Where the customer would pay now: the newest page that takes money under a reference that is not
 * paid. With `again`, the reference may  be paid where the provider lets many payments share one.
 */
export function findPayable(
  sql: Sql,
  reference: string,
  now: Date,
  again: boolean,
): Promise<Payment | undefined> {
  return first<Payment>(
    sql,
    `select * from sandbox.payment_state p
      where ${meantBy} and kind <> 'attempt'
        and (link_expires_at is null or link_expires_at > $4)
        and (($5 and kind = 'link') or not exists (
          select 1 from sandbox.payment s where s.reference = p.reference
            and s.account_id + 0 = p.account_id and s.outcome = 'paid' and s.kind <> 'forgotten'))
      order by outcome = 'paid', id desc limit 1`,
    [...rangeOf(reference), now, again],
  );
}

/**
 * What `reference` of the control side means: $1 is the reference, $2 the last one in the order of
 * the index, $3 a pattern. The range is there for the index: a plan for every pattern uses none.
 */
const meantBy = 'reference ~>=~ $1 and reference ~<=~ $2 and (reference = $1 or reference like $3)';

function rangeOf(reference: string): [from: string, to: string, pattern: string | null] {
  return /^SV-\d+$/.test(reference)
    ? [reference, `${reference}.`, `${reference}-________`]
    : [reference, reference, null];
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
