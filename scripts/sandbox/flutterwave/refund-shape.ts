import { toNaira } from '../naira.ts';
import type { Account, Payment, Refund } from '../records.ts';

/**
 * What Flutterwave calls the state of a refund. The bare "completed" says no more than that it was
 * accepted and its money set aside; what  waits for the customer's details stays under way.
 */
export function refundStatus(payment: Payment, { status }: Refund): string {
  if (status === 'failed') return 'failed';
  if (status === 'needs-attention') return 'pending-momo';
  if (status !== 'completed') return 'completed';
  if (payment.channel === 'card') return 'completed-mpgs';
  return payment.channel === 'mobile_money' ? 'completed-momo' : 'completed-bank-transfer';
}

/** A refund as its creation answers it. */
export function refundShape(account: Account, payment: Payment, refund: Refund) {
  return {
    id: refund.id,
    account_id: account.id,
    tx_id: payment.id,
    flw_ref: refundRef(refund),
    wallet_id: account.id,
    amount_refunded: toNaira(refund.amountKobo),
    status: refundStatus(payment, refund),
    destination: 'payment_source',
    meta: { source: 'availablebalance' },
    created_at: refund.createdAt.toISOString(),
  };
}

/** A refund as it is read afterwards: another name for its transaction, and its meta as text. */
export function refundRow(account: Account, payment: Payment, refund: Refund) {
  return {
    id: refund.id,
    amount_refunded: toNaira(refund.amountKobo),
    status: refundStatus(payment, refund),
    flw_ref: refundRef(refund),
    comment: refund.merchantNote,
    settlement_id: 'NEW',
    meta: JSON.stringify({ source: 'availablebalance' }),
    created_at: refund.createdAt.toISOString(),
    account_id: account.id,
    transaction_id: payment.id,
  };
}

/** A refund as its notification shows it. */
export function toldRefund(account: Account, payment: Payment, refund: Refund) {
  return {
    id: refund.id,
    AmountRefunded: toNaira(refund.amountKobo),
    status: refundStatus(payment, refund),
    FlwRef: refundRef(refund),
    destination: 'payment_source',
    comments: refund.merchantNote,
    settlement_id: 'NEW',
    meta: JSON.stringify({ source: 'availablebalance' }),
    createdAt: refund.createdAt.toISOString(),
    updatedAt: refund.updatedAt.toISOString(),
    deletedAt: null,
    walletId: account.id,
    AccountId: account.id,
    TransactionId: payment.id,
  };
}

function refundRef({ id, createdAt }: Refund): string {
  return `URF_${createdAt.getTime()}_${id}`;
}
