import { toId } from '../fields.ts';
import { toKobo } from '../naira.ts';
import { findPaymentById, isPaid } from '../payments.ts';
import type { Account, Refund } from '../records.ts';
import {
  advanceRefunds,
  findRefund,
  listRefunds,
  type RefundRefusal,
  createRefund as refundPayment,
} from '../refunds.ts';
import type { Answer, Endpoint, World } from '../world.ts';
import { noTransaction, ok, refuse } from './answers.ts';
import { listAnswer } from './query.ts';
import { refundRow, refundShape } from './refund-shape.ts';
import { findTransaction } from './transactions.ts';

/** `POST /transactions/{id}/refund`: of all that is left or of a part. Nothing makes it safe to repeat. */
export const createRefund: Endpoint = {
  method: 'post',
  path: '/transactions/:id/refund',
  async handle(world, { account, params, body }) {
    const amountKobo =
      body.amount === undefined || body.amount === null ? undefined : toKobo(body.amount);
    if (body.amount != null && !amountKobo) return refuse(400, 'amount must be a positive number');
    const payment = await findTransaction(world, account, params.id);
    if (!payment) return noTransaction;
    if (!isPaid(payment)) return refusals.unpaid;
    const merchantNote =
      typeof body.comments === 'string' ? body.comments.replaceAll('\0', '') : undefined;
    const result = await refundPayment(world, account, payment.id, { amountKobo, merchantNote });
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
  async handle(world, { account, params }) {
    await advanceRefunds(world);
    const refund = await findRefund(world.sql, account, toId(params.id) ?? 0);
    return refund
      ? ok('Refund fetched', await toRow(world, account, refund))
      : refuse(404, 'Refund not found');
  },
};

/** `GET /refunds`: those of the whole account, whatever the transaction. */
export const getRefunds: Endpoint = {
  method: 'get',
  path: '/refunds',
  async handle(world, call) {
    await advanceRefunds(world);
    return listAnswer(
      call,
      'Refunds fetched',
      ({ window, dates }) => listRefunds(world.sql, call.account, dates, window),
      (refund) => toRow(world, call.account, refund),
    );
  },
};

async function toRow(world: World, account: Account, refund: Refund): Promise<object> {
  return refundRow(account, (await findPaymentById(world.sql, refund.paymentId))!, refund);
}
