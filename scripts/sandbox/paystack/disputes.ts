import { disputesOf } from '../disputes.ts';
import type { Account, Dispute, Payment } from '../records.ts';
import type { Store } from '../store.ts';
import { get, toId, unfilled } from '../wire.ts';
import { askedId, listAnswer, notFound, ok } from './answers.ts';
import { customerShape, transactionShape } from './transaction-shape.ts';

const getDisputes = get('/dispute', ({ store }, call) => {
  askedId(call.query, 'transaction');
  return listAnswer(call, 'Disputes retrieved', disputesOf(store, call.account), {
    filters: { transaction: ({ paymentId }) => paymentId, status: statusOf },
    toWire: (dispute) => toWire(store, call.account, dispute),
  });
});

const getDispute = get('/dispute/:id', ({ store }, { account, params }) => {
  const dispute = disputesOf(store, account).find(({ id }) => id === toId(params.id));
  return ok('Dispute retrieved', toWire(store, account, dispute ?? notFound('Dispute')));
});

/** The REST bodies spell their dates in camel case, the notifications with an underscore. */
function toWire(store: Store, account: Account, dispute: Dispute): object {
  const payment = store.payment.get(dispute.paymentId)!;
  const { createdAt, updatedAt } = dispute;
  return { ...disputeShape(account, payment, dispute), createdAt, updatedAt };
}

function statusOf({ resolution }: Dispute): string {
  return resolution ? 'resolved' : 'awaiting-merchant-feedback';
}

const answerTimeMs = 24 * 60 * 60 * 1000;

export function disputeShape(account: Account, payment: Payment, dispute: Dispute) {
  const createdAt = dispute.createdAt;
  return {
    id: dispute.id,
    refund_amount: dispute.amountKobo,
    currency: 'NGN',
    status: statusOf(dispute),
    resolution: dispute.resolution && resolutionName[dispute.resolution],
    domain: account.mode,
    transaction: transactionShape(account, payment),
    ...unfilled('transaction_reference evidence attachments note'),
    category: 'chargeback',
    customer: customerShape(account, payment),
    bin: payment.channel === 'card' ? '408408' : null,
    last4: payment.channel === 'card' ? '4081' : null,
    dueAt: new Date(dispute.createdAt.getTime() + answerTimeMs),
    resolvedAt: dispute.resolvedAt,
    history: [{ status: 'pending', by: payment.email, createdAt }],
    messages: [
      { sender: payment.email, body: 'Customer complained about debit without value', createdAt },
    ],
  };
}

/** A merchant who declined the claim and was believed has won. */
const resolutionName = { won: 'declined', lost: 'merchant-accepted' };

export const disputes = [getDisputes, getDispute];
