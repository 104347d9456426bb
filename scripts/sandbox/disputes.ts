import type { Sql } from '../../domain/shared/sql.ts';
import { accountOf } from './accounts.ts';
import type { SandboxContext } from './context.ts';
import { notify } from './notifications.ts';
import { findPaymentById } from './payments.ts';
import type { Account, Dispute, Payment } from './records.ts';
import { deduct, refundableKobo } from './refunds.ts';
import { first, listPage, type Page, type Window } from './rows.ts';

export type DisputeRefusal = 'unpaid' | 'reversed' | 'open already' | 'too much';

/**
 * The customer's bank disputes a payment, for all that is left of it or a stated amount; with an
 * outcome, the dispute that is open (or was just opened) is decided too. Lost money is owed back
 * like a refund.
 */
export async function disputePayment(
  context: SandboxContext,
  paymentId: number,
  {
    outcome,
    amountKobo,
  }: { outcome?: 'won' | 'lost' | undefined; amountKobo?: number | undefined },
): Promise<Dispute | DisputeRefusal> {
  const result = await context.sql.transaction(async (tx) => {
    await tx.query('select 1 from sandbox.payment where id = $1 for no key update', [paymentId]);
    const open = await first<Dispute>(
      tx,
      'select * from sandbox.dispute where payment_id = $1 and resolved_at is null',
      [paymentId],
    );
    if (open && !outcome) return 'open already';
    const dispute = open ?? (await openDispute(tx, context, paymentId, amountKobo));
    return outcome && typeof dispute === 'object'
      ? resolveDispute(tx, context, dispute, outcome)
      : dispute;
  });
  context.notifier.sendDue();
  return result;
}

async function openDispute(
  tx: Sql,
  context: SandboxContext,
  paymentId: number,
  amountKobo: number | undefined,
): Promise<Dispute | DisputeRefusal> {
  const payment = (await findPaymentById(tx, paymentId))!;
  const leftKobo = refundableKobo(payment);
  if (payment.paidKobo === null) return 'unpaid';
  if (leftKobo <= 0) return 'reversed';
  if (amountKobo !== undefined && amountKobo > leftKobo) return 'too much';
  const dispute = await first<Dispute>(
    tx,
    `insert into sandbox.dispute (account_id, payment_id, amount_kobo, created_at, updated_at)
     values ($1, $2, $3, $4, $4) returning *`,
    [payment.accountId, payment.id, amountKobo ?? leftKobo, context.now()],
  );
  await tell(tx, context, dispute!);
  return dispute!;
}

async function resolveDispute(
  tx: Sql,
  context: SandboxContext,
  open: Dispute,
  outcome: 'won' | 'lost',
): Promise<Dispute> {
  const dispute = await first<Dispute>(
    tx,
    `update sandbox.dispute set resolution = $2, resolved_at = $3, updated_at = $3
     where id = $1 and resolved_at is null returning *`,
    [open.id, outcome, context.now()],
  );
  if (outcome === 'lost') await loseMoney(tx, context, dispute!);
  await tell(tx, context, dispute!);
  return dispute!;
}

/** Refunds made while the dispute was open have already taken their share. */
async function loseMoney(tx: Sql, context: SandboxContext, dispute: Dispute): Promise<void> {
  const payment = (await findPaymentById(tx, dispute.paymentId))!;
  const amountKobo = Math.min(dispute.amountKobo, refundableKobo(payment));
  if (amountKobo > 0)
    await deduct(tx, { ...dispute, amountKobo, disputeId: dispute.id }, context.now());
}

async function tell(tx: Sql, context: SandboxContext, dispute: Dispute): Promise<void> {
  const account = await accountOf(tx, dispute);
  const payment: Payment = (await findPaymentById(tx, dispute.paymentId))!;
  await notify(
    tx,
    context,
    account,
    context.providers[account.provider].notifications.dispute(account, payment, dispute),
  );
}

export function findDispute(sql: Sql, account: Account, id: number): Promise<Dispute | undefined> {
  return first<Dispute>(sql, 'select * from sandbox.dispute where account_id = $1 and id = $2', [
    account.id,
    id,
  ]);
}

/** An account's disputes, newest first. */
export function listDisputes(
  sql: Sql,
  account: Account,
  conditions: Record<string, unknown>,
  window: Window,
): Promise<Page<Dispute>> {
  return listPage<Dispute>(
    sql,
    'sandbox.dispute',
    { 'account_id = ?': account.id, ...conditions },
    window,
  );
}
