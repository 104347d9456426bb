import { disputesOf, resolveDispute } from '../disputes.ts';
import type { Account, Dispute, Payment } from '../records.ts';
import { get, post, put, toId, toNaira, toText } from '../wire.ts';
import { listAnswer, ok, refuse } from './answers.ts';
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

/** What is declined waits until the bank decides. */
const answerChargeback = put('/chargebacks/:id', (context, { account, params, body }) => {
  const { store } = context;
  const dispute = disputesOf(store, account).find(({ id }) => id === toId(params.id));
  if (!dispute) return refuse(400, 'Chargeback not found');
  if (dispute.resolution || dispute.isContested)
    return refuse(400, 'Chargeback has been answered already');
  if (!toText(body.comment)) return refuse(400, 'comment is required');
  const payment = store.payment.get(dispute.paymentId)!;
  if (body.action === 'decline') store.dispute.change(dispute, { isContested: true });
  else if (body.action === 'accept') resolveDispute(context, payment, dispute, 'lost');
  else return refuse(400, 'action must be accept or decline');
  const shape = chargeback(account, payment, dispute);
  return { ...ok(`Chargeback ${body.action}d`, shape), accepted: true };
});

const statusOf = ({ resolution, isContested }: Dispute): string =>
  resolution ?? (isContested ? 'declined' : 'initiated');

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

/** The proof itself is not kept. */
const uploadImage = post('/upload_image', ({ url }) =>
  ok('Image sucessfully uploaded', `${url}/_uploads/proof`),
);

export const disputes = [getChargebacks, answerChargeback, uploadImage];
