import { advanceRefunds } from '../advance-refunds.ts';
import type { Answer, Endpoint } from '../context.ts';
import { toId } from '../fields.ts';
import { toKobo } from '../naira.ts';
import { findPaymentById, isPaid, withPayments } from '../payments.ts';
import {
  findRefund,
  listRefunds,
  type RefundRefusal,
  createRefund as refundPayment,
} from '../refunds.ts';
import { noTransaction, ok, refuse } from './answers.ts';
import { listAnswer } from './query.ts';
import { refundRow, refundShape } from './refund-shape.ts';
import { findTransaction } from './transactions.ts';

/**
 * `POST /transactions/{id}/refund`: of all that is left or of a part. Nothing makes it safe to
 * repeat.
 */
export const createRefund: Endpoint = {
  method: 'post',
  path: '/transactions/:id/refund',
  async handle(context, { account, params, body }) {
    const amountKobo =
      body.amount === undefined || body.amount === null ? undefined : toKobo(body.amount);
    if (body.amount != null && !amountKobo) return refuse(400, 'amount must be a positive number');
    const payment = await findTransaction(context, account, params.id);
    if (!payment) return noTransaction;
    if (!isPaid(payment)) return refusals.unpaid;
    const merchantNote =
      typeof body.comments === 'string' ? body.comments.replaceAll('\0', '') : undefined;
    const result = await refundPayment(context, account, payment.id, { amountKobo, merchantNote });
    if (typeof result === 'string') return refusals[result];
    return {
      ...ok('Transaction refund initiated', refundShape(account, payment, result)),
      accepted: true,
    };
  },
};

const refusals: Record<RefundRefusal, Answer> = {
  unpaid: refuse(400, 'Only successful transactions can be refunded'),
  reversed: refuse(400, 'Transaction has already been refunded'),
  'too much': refuse(400, 'Refund amount is more than the amount left on the transaction'),
};

/** `GET /refunds/{id}`. */
export const getRefund: Endpoint = {
  method: 'get',
  path: '/refunds/:id',
  async handle(context, { account, params }) {
    await advanceRefunds(context);
    const refund = await findRefund(context.sql, account, toId(params.id) ?? 0);
    if (!refund) return refuse(404, 'Refund not found');
    const payment = (await findPaymentById(context.sql, refund.paymentId))!;
    return ok('Refund fetched', refundRow(account, payment, refund));
  },
};

/** `GET /refunds`: those of the whole account, whatever the transaction. */
export const getRefunds: Endpoint = {
  method: 'get',
  path: '/refunds',
  async handle(context, call) {
    await advanceRefunds(context);
    return listAnswer(
      call,
      'Refunds fetched',
      async ({ window, dates }) =>
        withPayments(context.sql, await listRefunds(context.sql, call.account, dates, window)),
      ([refund, payment]) => refundRow(call.account, payment, refund),
    );
  },
};
