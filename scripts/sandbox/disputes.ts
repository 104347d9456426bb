import type { Sql } from '../../domain/shared/sql.ts';
import { accountOf } from './accounts.ts';
import { notify } from './notifications.ts';
import { findPaymentById } from './payments.ts';
import type { Account, Dispute, Payment } from './records.ts';
import { deduct, refundableKobo } from './refunds.ts';
import { first, listPage, type Page, type Window } from './rows.ts';
import type { World } from './world.ts';

export type DisputeRefusal = 'unpaid' | 'reversed' | 'open already';

/** The customer's bank disputes a payment, for all that is left of it; with an outcome, the dispute that is open (or was just opened) is
 *  decided too. Lost money is owed back like a refund. */
export async function disputePayment(
  world: World,
  paymentId: number,
  outcome?: 'won' | 'lost',
): Promise<Dispute | DisputeRefusal> {
  const result = await world.sql.transaction(async (tx) => {
    await tx.query('select 1 from sandbox.payment where id = $1 for no key update', [paymentId]);
    const open = await first<Dispute>(
      tx,
      'select * from sandbox.dispute where payment_id = $1 and resolved_at is null',
      [paymentId],
    );
    if (open && !outcome) return 'open already';
    const dispute = open ?? (await openDispute(tx, world, paymentId));
    return outcome && typeof dispute === 'object'
      ? resolveDispute(tx, world, dispute, outcome)
      : dispute;
  });
  world.wake();
  return result;
}

async function openDispute(
  tx: Sql,
  world: World,
  paymentId: number,
): Promise<Dispute | DisputeRefusal> {
  const payment = (await findPaymentById(tx, paymentId))!;
  if (payment.paidKobo === null) return 'unpaid';
  if (refundableKobo(payment) <= 0) return 'reversed';
  const dispute = await first<Dispute>(
    tx,
    `insert into sandbox.dispute (account_id, payment_id, amount_kobo, created_at, updated_at) values ($1, $2, $3, $4, $4) returning *`,
    [payment.accountId, payment.id, refundableKobo(payment), world.now()],
  );
  await tell(tx, world, dispute!);
  return dispute!;
}

async function resolveDispute(
  tx: Sql,
  world: World,
  open: Dispute,
  outcome: 'won' | 'lost',
): Promise<Dispute> {
  const dispute = await first<Dispute>(
    tx,
    'update sandbox.dispute set resolution = $2, resolved_at = $3, updated_at = $3 where id = $1 and resolved_at is null returning *',
    [open.id, outcome, world.now()],
  );
  if (outcome === 'lost') await loseMoney(tx, world, dispute!);
  await tell(tx, world, dispute!);
  return dispute!;
}

/** Refunds made while the dispute was open have already taken their share. */
async function loseMoney(tx: Sql, world: World, dispute: Dispute): Promise<void> {
  const payment = (await findPaymentById(tx, dispute.paymentId))!;
  const amountKobo = Math.min(dispute.amountKobo, refundableKobo(payment));
  if (amountKobo > 0)
    await deduct(tx, { ...dispute, amountKobo, disputeId: dispute.id }, world.now());
}

async function tell(tx: Sql, world: World, dispute: Dispute): Promise<void> {
  const account = await accountOf(tx, dispute);
  const payment: Payment = (await findPaymentById(tx, dispute.paymentId))!;
  await notify(
    tx,
    world,
    account,
    world.providers[account.provider].notices.dispute(account, payment, dispute),
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
