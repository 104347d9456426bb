import type { Sql } from '../../domain/shared/sql.ts';
import { accountOf } from './accounts.ts';
import type { SandboxContext } from './context.ts';
import { notify } from './notifications.ts';
import { findPaymentById } from './payments.ts';
import type { Account, Payment, Refund } from './records.ts';
import { first, listPage, type Page, type Window } from './rows.ts';

/** A refund is processing after one step and ends after two. */
export const stepMs = 500;

/** No settlement: the merchant's wallet paid. */
const walletSettlement = 0;

export interface RefundOrder {
  /** The merchant's own, where the provider takes one. */
  reference?: string | undefined;
  /** Absent: all that is left of the payment. */
  amountKobo?: number | undefined;
  customerNote?: string | undefined;
  merchantNote?: string | undefined;
}

export type RefundRefusal = 'unpaid' | 'reversed' | 'too much';

/**
 * Queues a refund. The payment is locked meanwhile: refunds that are not failed never add up to
 * more than was paid.
 */
export function createRefund(
  context: SandboxContext,
  account: Account,
  paymentId: number,
  order: RefundOrder & { reference?: undefined },
): Promise<Refund | RefundRefusal>;
export function createRefund(
  context: SandboxContext,
  account: Account,
  paymentId: number,
  order: RefundOrder,
): Promise<Refund | RefundRefusal | 'reference used'>;
export async function createRefund(
  context: SandboxContext,
  account: Account,
  paymentId: number,
  order: RefundOrder,
) {
  const result = await context.sql.transaction(async (tx) => {
    await tx.query('select 1 from sandbox.payment where id = $1 for no key update', [paymentId]);
    const payment = (await findPaymentById(tx, paymentId))!;
    const refusal = refuse(payment, order.amountKobo);
    if (refusal) return refusal;
    const refund = await insertRefund(tx, context.now(), payment, order);
    if (!refund) return 'reference used';
    await notify(
      tx,
      context,
      account,
      context.providers[account.provider].notifications.refund(account, payment, refund),
    );
    return refund;
  });
  context.notifier.sendDue();
  return result;
}

function refuse(payment: Payment, amountKobo: number | undefined): RefundRefusal | undefined {
  if (payment.paidKobo === null) return 'unpaid';
  const leftKobo = refundableKobo(payment);
  if (leftKobo <= 0) return 'reversed';
  return amountKobo !== undefined && amountKobo > leftKobo ? 'too much' : undefined;
}

/** What is left of a payment's money: paid, and neither sent back nor on its way. */
export function refundableKobo(payment: Payment): number {
  return (payment.paidKobo ?? 0) - payment.reversedKobo - payment.reversingKobo;
}

/** Undefined when the account gave the reference to another refund before. */
async function insertRefund(
  tx: Sql,
  now: Date,
  payment: Payment,
  order: RefundOrder,
): Promise<Refund | undefined> {
  const refund = await first<Refund>(
    tx,
    `insert into sandbox.refund (account_id, payment_id, amount_kobo, reference, ending,
                                 customer_note, merchant_note, created_at, updated_at, due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)
     on conflict (account_id, reference) where reference is not null do nothing returning *`,
    [
      payment.accountId,
      payment.id,
      order.amountKobo ?? refundableKobo(payment),
      order.reference ?? null,
      payment.nextRefund,
      order.customerNote ?? null,
      order.merchantNote ?? null,
      now,
      new Date(now.getTime() + stepMs),
    ],
  );
  if (refund) await planRefund(tx, payment.id, 'completed');
  return refund;
}

/** A refund made in the provider's own dashboard. It is completed at once. */
export async function refundNow(
  context: SandboxContext,
  paymentId: number,
  amountKobo: number | undefined,
): Promise<Refund | RefundRefusal> {
  const result = await context.sql.transaction(async (tx) => {
    await tx.query('select 1 from sandbox.payment where id = $1 for no key update', [paymentId]);
    const payment = (await findPaymentById(tx, paymentId))!;
    const refusal = refuse(payment, amountKobo);
    if (refusal) return refusal;
    const refund = (await first<Refund>(
      tx,
      `insert into sandbox.refund (account_id, payment_id, amount_kobo, status, ending, created_at,
       updated_at)
       values ($1, $2, $3, 'completed', 'completed', $4, $4) returning *`,
      [payment.accountId, payment.id, amountKobo ?? refundableKobo(payment), context.now()],
    ))!;
    await settleRefund(tx, context, refund);
    return refund;
  });
  context.notifier.sendDue();
  return result;
}

/**
 * The newest completed refund of a payment fails after all, and the merchant has its money back.
 * Undefined: there is none, or a settlement deducted it already.
 */
export async function failCompletedRefund(
  context: SandboxContext,
  paymentId: number,
): Promise<Refund | undefined> {
  const result = await context.sql.transaction(async (tx) => {
    await tx.query('select 1 from sandbox.payment where id = $1 for no key update', [paymentId]);
    const refund = await first<Refund>(
      tx,
      `with undone as (
         delete from sandbox.deduction where refund_id = (
           select max(id) from sandbox.refund where payment_id = $1 and status = 'completed')
           and (settlement_id is null or settlement_id = ${walletSettlement})
         returning refund_id)
       update sandbox.refund set status = 'failed', updated_at = $2
       where id = (select refund_id from undone) returning *`,
      [paymentId, context.now()],
    );
    if (refund) await settleRefund(tx, context, refund);
    return refund;
  });
  context.notifier.sendDue();
  return result;
}

/**
 * Writes what follows from a refund's new state: a deduction once it is completed, and a
 * notification.
 */
export async function settleRefund(
  tx: Sql,
  context: SandboxContext,
  refund: Refund,
): Promise<void> {
  const account = await accountOf(tx, refund);
  const settlementId = context.providers[account.provider].refundsFromWallet && walletSettlement;
  if (refund.status === 'completed')
    await deduct(tx, { ...refund, refundId: refund.id, settlementId }, context.now());
  const payment = (await findPaymentById(tx, refund.paymentId))!;
  await notify(
    tx,
    context,
    account,
    context.providers[account.provider].notifications.refund(account, payment, refund),
  );
}

/** Money the merchant owes back, with the reason. */
interface Owed {
  accountId: number;
  paymentId: number;
  amountKobo: number;
  refundId?: number;
  disputeId?: number;
  /** The settlement it was taken from already. */
  settlementId?: number | undefined;
}

/** Records money the merchant owes back, to be taken from a later settlement. */
export async function deduct(tx: Sql, owed: Owed, now: Date): Promise<void> {
  await tx.query(
    `insert into sandbox.deduction (account_id, payment_id, amount_kobo, refund_id, dispute_id,
     settlement_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      owed.accountId,
      owed.paymentId,
      owed.amountKobo,
      owed.refundId ?? null,
      owed.disputeId ?? null,
      owed.settlementId ?? null,
      now,
    ],
  );
}

/** Sets how the next refund of a payment ends. */
export async function planRefund(
  sql: Sql,
  paymentId: number,
  ending: Refund['ending'],
): Promise<void> {
  await sql.query('update sandbox.payment set next_refund = $2 where id = $1', [paymentId, ending]);
}

export function findRefund(sql: Sql, account: Account, id: number): Promise<Refund | undefined> {
  return first<Refund>(sql, 'select * from sandbox.refund where account_id = $1 and id = $2', [
    account.id,
    id,
  ]);
}

/** An account's refund, by its own reference. */
export function findRefundByReference(
  sql: Sql,
  account: Account,
  reference: string,
): Promise<Refund | undefined> {
  return first<Refund>(
    sql,
    'select * from sandbox.refund where account_id = $1 and reference = $2',
    [account.id, reference],
  );
}

/** An account's refunds, newest first. */
export function listRefunds(
  sql: Sql,
  account: Account,
  conditions: Record<string, unknown>,
  window: Window,
): Promise<Page<Refund>> {
  return listPage<Refund>(
    sql,
    'sandbox.refund',
    { 'account_id = ?': account.id, ...conditions },
    window,
  );
}
