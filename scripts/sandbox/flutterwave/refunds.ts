import { findPayment } from '../payments.ts';
import type { Account, Payment, Refund } from '../records.ts';
import { findRefund, type RefundRefusal, createRefund as refundPayment } from '../refunds.ts';
import { get, post, toId, toKobo, toNaira, toText } from '../wire.ts';
import { listAnswer, noTransaction, ok, refuse } from './answers.ts';

/** `POST /transactions/{id}/refund`: of all that is left or of a part. It is not safe to repeat. */
const createRefund = post('/transactions/:id/refund', (context, { account, params, body }) => {
  const amountKobo = body.amount == null ? undefined : toKobo(body.amount);
  if (body.amount != null && !amountKobo) return refuse(400, 'amount must be a positive number');
  const payment = findPayment(context.store, account, toId(params.id)) ?? noTransaction();
  const merchantNote = toText(body.comments);
  const refund = refundPayment(context, payment, { amountKobo, merchantNote });
  if (typeof refund === 'string') return refuse(400, refusals[refund]);
  const shape = refundShape(account, payment, refund);
  return { ...ok('Transaction refund initiated', shape), accepted: true };
});

const refusals: Record<RefundRefusal, string> = {
  unpaid: 'Only successful transactions can be refunded',
  reversed: 'Transaction has already been refunded',
  'too much': 'Refund amount is more than the amount left on the transaction',
};

const getRefund = get('/refunds/:id', ({ store }, { account, params }) => {
  const refund = findRefund(store, account, toId(params.id)) ?? refuse(404, 'Refund not found');
  return ok('Refund fetched', refundRow(account, store.payment.get(refund.paymentId)!, refund));
});

const getRefunds = get('/refunds', ({ store }, call) => {
  const { account } = call;
  const refunds = store.refund.find(`account ${account.id}`);
  return listAnswer(call, 'Refunds fetched', refunds, (refund) =>
    refundRow(account, store.payment.get(refund.paymentId)!, refund),
  );
});

/** The bare "completed" only says that a refund was accepted and its money set aside. */
function refundStatus(payment: Payment, { status }: Refund): string {
  if (status === 'failed') return 'failed';
  if (status === 'needs-attention') return 'pending-momo';
  if (status !== 'completed') return 'completed';
  if (payment.channel === 'card') return 'completed-mpgs';
  return payment.channel === 'mobile_money' ? 'completed-momo' : 'completed-bank-transfer';
}

function refundShape(account: Account, payment: Payment, refund: Refund) {
  return {
    ...common(account, payment, refund),
    ...{ tx_id: payment.id, wallet_id: account.id, destination: 'payment_source' },
    meta: { source: 'availablebalance' },
  };
}

/** A refund as it is read afterwards: another name for its transaction, and its meta as text. */
function refundRow(account: Account, payment: Payment, refund: Refund) {
  return {
    ...common(account, payment, refund),
    ...{ comment: refund.merchantNote, settlement_id: 'NEW', transaction_id: payment.id },
    meta: JSON.stringify({ source: 'availablebalance' }),
  };
}

function common(account: Account, payment: Payment, refund: Refund) {
  return {
    ...{ id: refund.id, account_id: account.id, amount_refunded: toNaira(refund.amountKobo) },
    ...{ status: refundStatus(payment, refund), flw_ref: refundRef(refund) },
    created_at: refund.createdAt,
  };
}

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
    ...{ createdAt: refund.createdAt, updatedAt: refund.updatedAt, deletedAt: null },
    ...{ walletId: account.id, AccountId: account.id, TransactionId: payment.id },
  };
}

const refundRef = ({ id, createdAt }: Refund): string => `URF_${createdAt.getTime()}_${id}`;

export const refunds = [createRefund, getRefund, getRefunds];
