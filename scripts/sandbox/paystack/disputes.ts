import type { Endpoint } from '../context.ts';
import { findDispute, listDisputes } from '../disputes.ts';
import { text, toId } from '../fields.ts';
import { findPaymentById, withPayments } from '../payments.ts';
import type { Account, Dispute, Payment } from '../records.ts';
import { invalid, notFound, ok } from './answers.ts';
import { disputeShape, openStatus, resolvedStatus } from './dispute-shape.ts';
import { listAnswer } from './query.ts';

/** `GET /dispute`. */
export const getDisputes: Endpoint = {
  method: 'get',
  path: '/dispute',
  async handle(context, call) {
    const transaction = text(call.query, 'transaction');
    const paymentId = transaction === undefined ? undefined : toId(transaction);
    if (transaction !== undefined && paymentId === undefined)
      return invalid('Transaction ID should be numeric.');
    const conditions = { 'payment_id = ?': paymentId, ...ofStatus(text(call.query, 'status')) };
    return listAnswer(
      call,
      'Disputes retrieved',
      async ({ window, dates }) =>
        withPayments(
          context.sql,
          await listDisputes(context.sql, call.account, { ...conditions, ...dates }, window),
        ),
      ([dispute, payment]) => toWire(call.account, payment, dispute),
    );
  },
};

/** `GET /dispute/{id}`. */
export const getDispute: Endpoint = {
  method: 'get',
  path: '/dispute/:id',
  async handle(context, { account, params }) {
    const dispute = await findDispute(context.sql, account, toId(params.id) ?? 0);
    if (!dispute) return notFound('Dispute');
    const payment = (await findPaymentById(context.sql, dispute.paymentId))!;
    return ok('Dispute retrieved', toWire(account, payment, dispute));
  },
};

function ofStatus(status: string | undefined): Record<string, unknown> {
  if (status === undefined) return {};
  if (status !== openStatus && status !== resolvedStatus) return { 'id = ?': 0 };
  return { '(resolved_at is not null) = ?': status === resolvedStatus };
}

/** The REST bodies spell their dates in camel case, the notifications with an underscore. */
function toWire(account: Account, payment: Payment, dispute: Dispute): object {
  const dates = {
    createdAt: dispute.createdAt.toISOString(),
    updatedAt: dispute.updatedAt.toISOString(),
  };
  return { ...disputeShape(account, payment, dispute), ...dates };
}
