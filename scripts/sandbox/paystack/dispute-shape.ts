import type { Account, Dispute, Payment } from '../records.ts';
import { customerShape, transactionShape } from './transaction-shape.ts';

export const openStatus = 'awaiting-merchant-feedback';
export const resolvedStatus = 'resolved';

const answerTimeMs = 24 * 60 * 60 * 1000;

/** A dispute without the two dates whose spelling depends on where it is shown. */
export function disputeShape(account: Account, payment: Payment, dispute: Dispute) {
  const createdAt = dispute.createdAt.toISOString();
  return {
    id: dispute.id,
    refund_amount: dispute.amountKobo,
    currency: 'NGN',
    status: dispute.resolution ? resolvedStatus : openStatus,
    resolution: dispute.resolution && resolutionName[dispute.resolution],
    domain: account.mode,
    transaction: transactionShape(account, payment),
    transaction_reference: null,
    category: 'chargeback',
    customer: customerShape(account, payment),
    bin: payment.channel === 'card' ? '408408' : null,
    last4: payment.channel === 'card' ? '4081' : null,
    dueAt: new Date(dispute.createdAt.getTime() + answerTimeMs).toISOString(),
    resolvedAt: dispute.resolvedAt?.toISOString() ?? null,
    evidence: null,
    attachments: null,
    note: null,
    history: [{ status: 'pending', by: payment.email, createdAt }],
    messages: [
      { sender: payment.email, body: 'Customer complained about debit without value', createdAt },
    ],
  };
}

/** A merchant who declined the claim and was believed has won. */
const resolutionName = { won: 'declined', lost: 'merchant-accepted' };
