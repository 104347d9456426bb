import { disputesOf } from '../disputes.ts';
import type { Account, Dispute, Payment } from '../records.ts';
import { get, toNaira } from '../wire.ts';
import { listAnswer } from './answers.ts';
import { flwRef } from './transaction-shape.ts';

const answerTimeMs = 48 * 60 * 60 * 1000;

/** `GET /chargebacks`. Flutterwave sends no notification of them. */
const getChargebacks = get('/chargebacks', ({ store }, call) => {
  const toWire = (dispute: Dispute) =>
    chargeback(call.account, store.payment.get(dispute.paymentId)!, dispute);
  return listAnswer(call, 'Chargebacks fetched', disputesOf(store, call.account), toWire, {
    id: ({ id }) => id,
    status: statusOf,
  });
});

const statusOf = ({ resolution }: Dispute): string => resolution ?? 'initiated';

function chargeback(account: Account, payment: Payment, dispute: Dispute): object {
  const createdAt = dispute.createdAt;
  return {
    id: dispute.id,
    amount: toNaira(dispute.amountKobo),
    flw_ref: flwRef(account, payment),
    status: statusOf(dispute),
    stage: 'new',
    comment: 'Customer complained about debit without value',
    meta: {
      uploaded_proof: null,
      history: [
        { action: 'initiated', stage: 'new', date: createdAt, description: 'new chargeback' },
      ],
    },
    due_date: new Date(dispute.createdAt.getTime() + answerTimeMs),
    settlement_id: 'NEW',
    created_at: createdAt,
    transaction_id: payment.id,
    tx_ref: payment.reference,
  };
}

export const disputes = [getChargebacks];
