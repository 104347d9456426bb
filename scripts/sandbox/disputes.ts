import type { SandboxContext } from './context.ts';
import { notifyOf } from './notifications.ts';
import type { Account, Dispute, Payment } from './records.ts';
import { deduct, type RefundRefusal, refundableKobo, restate } from './refunds.ts';
import type { Store } from './store.ts';

type Outcome = 'won' | 'lost' | undefined;

export type DisputeRefusal = RefundRefusal | 'open already';

/** The customer's bank disputes a payment, or decides it. Lost money is owed back like a refund. */
export function disputePayment(
  context: SandboxContext,
  payment: Payment,
  { outcome, amountKobo }: { outcome?: Outcome; amountKobo?: number | undefined },
): Dispute | DisputeRefusal {
  const open = context.store.dispute
    .find(`payment ${payment.id}`)
    .find(({ resolvedAt }) => resolvedAt === null);
  if (open && !outcome) return 'open already';
  const dispute = open ?? openDispute(context, payment, amountKobo);
  return outcome && typeof dispute === 'object'
    ? resolveDispute(context, payment, dispute, outcome)
    : dispute;
}

function openDispute(context: SandboxContext, payment: Payment, amountKobo: number | undefined) {
  const { store, now } = context;
  const leftKobo = refundableKobo(payment);
  if (payment.paidKobo === null) return 'unpaid';
  if (leftKobo <= 0) return 'reversed';
  if (amountKobo !== undefined && amountKobo > leftKobo) return 'too much';
  const dispute = store.dispute.add({
    ...{ accountId: payment.accountId, paymentId: payment.id, amountKobo: amountKobo ?? leftKobo },
    ...{
      resolution: null,
      isContested: false,
      file: null,
      resolvedAt: null,
      createdAt: now(),
      updatedAt: now(),
    },
  });
  notifyOf(context, { payment, dispute });
  return dispute;
}

/** Refunds made while the dispute was open have already taken their share of what is lost. */
export function resolveDispute(
  context: SandboxContext,
  payment: Payment,
  dispute: Dispute,
  outcome: 'won' | 'lost',
): Dispute {
  const { store, now } = context;
  store.dispute.change(dispute, { resolution: outcome, resolvedAt: now(), updatedAt: now() });
  const amountKobo = Math.min(dispute.amountKobo, refundableKobo(payment));
  if (outcome === 'lost' && amountKobo > 0) {
    deduct(context, payment, { amountKobo, disputeId: dispute.id });
    restate(store, payment);
  }
  notifyOf(context, { payment, dispute });
  return dispute;
}

/** An account's disputes, newest first. */
export function disputesOf(store: Store, { id }: Account): Dispute[] {
  return store.dispute.find(`account ${id}`);
}
