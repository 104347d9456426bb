import type { Actor } from '../../../domain/accounts/audit-log/record-change.ts';
import {
  approveRefund,
  rejectRefund,
} from '../../../domain/payments/commands/approve-or-reject-refund.ts';
import { requestRefund } from '../../../domain/payments/commands/request-refund.ts';
import { Refund } from '../../../domain/payments/entities/refund.ts';
import { SECOND_MS } from '../../../domain/shared/units.ts';
import { runJob } from '../../../workers/pool.ts';
import { checkRefund } from '../../../workers/refund-check.ts';
import { executeRefund } from '../../../workers/refund-execute.ts';
import type { RefundEnding } from '../../sandbox/records.ts';
import { advanceRefunds } from '../../sandbox/refunds.ts';
import type { Business } from './business.ts';
import type { Past } from './past.ts';
import { paymentOf, type Sale } from './sale.ts';

/** A refund as somebody asks for it. Without an amount: all of the sale. */
export interface Wish {
  reason: string;
  amountKobo?: number;
}

/** Somebody requests a refund, which then waits for the Owner. Returns its id. */
export async function request(past: Past, by: Actor, sale: Sale, wish: Wish): Promise<string> {
  const { reason, amountKobo } = wish;
  const refund = await past.tx((tx) =>
    requestRefund(tx, by, { chargeNumber: sale.number, amountKobo, reason }),
  );
  return refund.id;
}

export function approve(past: Past, { owner }: Business, id: string): Promise<unknown> {
  return past.tx((tx) => approveRefund(tx, owner, id));
}

export function reject(
  past: Past,
  { owner }: Business,
  id: string,
  reason: string,
): Promise<unknown> {
  return past.tx((tx) => rejectRefund(tx, owner, id, reason));
}

/** Sends an approved refund, which ends as planned: at the provider, and then here. */
export async function sendRefund(
  past: Past,
  business: Business,
  sale: Sale,
  id: string,
  ending: RefundEnding = 'completed',
): Promise<void> {
  past.sandbox.store.payment.change(paymentOf(past, business, sale), { nextRefund: ending });
  await execute(past, id);
  past.pass(5 * SECOND_MS);
  advanceRefunds(past.sandbox);
  await check(past, id);
}

/** Sends an approved refund that its provider takes until `until` to complete. */
export async function sendSlowRefund(past: Past, id: string, until: Date): Promise<void> {
  await execute(past, id);
  const { refund } = past.sandbox.store;
  const [newest] = refund.find('due');
  if (newest?.status === 'pending') refund.change(newest, { dueAt: until });
  past.pass(5 * SECOND_MS);
  await check(past, id);
}

/** The job that sends a refund; it waits where the money is held. */
export async function execute(past: Past, id: string): Promise<void> {
  await runJob(past.context, executeRefund, await rowOf(past, id));
}

export async function check(past: Past, id: string): Promise<void> {
  await runJob(past.context, checkRefund, await rowOf(past, id));
}

function rowOf({ tx }: Past, id: string): Promise<{ id: string; tries: number }> {
  return tx(({ em }) => em.findOneOrFail(Refund, { id }));
}
