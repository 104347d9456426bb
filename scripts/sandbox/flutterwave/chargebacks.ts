import type { Endpoint } from '../context.ts';
import { listDisputes } from '../disputes.ts';
import { text, toId } from '../fields.ts';
import { toNaira } from '../naira.ts';
import { withPayments } from '../payments.ts';
import type { Account, Dispute, Payment } from '../records.ts';
import { listAnswer } from './query.ts';
import { flwRef } from './transaction-shape.ts';

const answerTimeMs = 48 * 60 * 60 * 1000;

/** `GET /chargebacks`. Flutterwave sends no notification of them. */
export const getChargebacks: Endpoint = {
  method: 'get',
  path: '/chargebacks',
  handle(context, call) {
    const id = text(call.query, 'id');
    const conditions = {
      'id = ?': id === undefined ? undefined : (toId(id) ?? 0),
      "coalesce(resolution, 'initiated') = ?": text(call.query, 'status'),
    };
    return listAnswer(
      call,
      'Chargebacks fetched',
      async ({ window, dates }) =>
        withPayments(
          context.sql,
          await listDisputes(context.sql, call.account, { ...conditions, ...dates }, window),
        ),
      ([dispute, payment]) => toWire(call.account, payment, dispute),
    );
  },
};

function toWire(account: Account, payment: Payment, dispute: Dispute): object {
  const createdAt = dispute.createdAt.toISOString();
  return {
    id: dispute.id,
    amount: toNaira(dispute.amountKobo),
    flw_ref: flwRef(account, payment),
    status: dispute.resolution ?? 'initiated',
    stage: 'new',
    comment: 'Customer complained about debit without value',
    meta: {
      uploaded_proof: null,
      history: [
        { action: 'initiated', stage: 'new', date: createdAt, description: 'new chargeback' },
      ],
    },
    due_date: new Date(dispute.createdAt.getTime() + answerTimeMs).toISOString(),
    settlement_id: 'NEW',
    created_at: createdAt,
    transaction_id: payment.id,
    tx_ref: payment.reference,
  };
}
