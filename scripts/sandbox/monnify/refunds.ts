import { advanceRefunds } from '../advance-refunds.ts';
import type { Answer, Call, Endpoint, SandboxContext } from '../context.ts';
import { text } from '../fields.ts';
import { toKobo } from '../naira.ts';
import { findPaymentById, withPayments } from '../payments.ts';
import type { Account, Payment, Refund } from '../records.ts';
import { createRefund, findRefund, findRefundByReference, listRefunds } from '../refunds.ts';
import { malformed, notProcessed, ok, refuse } from './answers.ts';
import { epochDate } from './dates.ts';
import { pageAnswer } from './pages.ts';
import { dashboardPrefix, refundShape, refundStatus } from './refund-shape.ts';
import { findSaleByTransactionReference } from './sales.ts';
import { byTransfer } from './transaction-shape.ts';

const smallestKobo = 10_000;
const longestReason = 64;
const longestNote = 16;

interface RefundRequest {
  transactionReference: string;
  reference: string;
  amountKobo: number;
  merchantNote: string;
  customerNote: string;
}

/**
 * `POST /api/v1/refunds/initiate-refund`. The merchant's reference makes it safe to repeat: it is
 * accepted once, whatever else is asked.
 */
export const initiateRefund: Endpoint = {
  method: 'post',
  path: '/api/v1/refunds/initiate-refund',
  async handle(context, call) {
    const request = readRequest(call.body);
    if ('status' in request) return request;
    if (await findRefundByReference(context.sql, call.account, request.reference))
      return usedReference;
    const sale = await findSaleByTransactionReference(
      context.sql,
      call.account,
      request.transactionReference,
    );
    if (!sale) return refuse(404, 'Transaction to be refunded does not exist', 'R1');
    return findFault(sale, request) ?? refundOne(context, call, sale, request);
  },
};

const usedReference = refuse(422, 'Refund reference has already been used', 'R9');
const notPermitted = refuse(422, 'Refund is not permitted for this transaction', 'R2');
const sumExceeds = refuse(422, 'Sum of refunds exceeds the amount paid', 'R12');

function readRequest(body: Record<string, unknown>): RefundRequest | Answer {
  const [transactionReference, reference, merchantNote, customerNote] = [
    body.transactionReference,
    body.refundReference,
    body.refundReason,
    body.customerNote,
  ].map((value) =>
    typeof value === 'string' && value !== '' ? value.replaceAll('\0', '') : undefined,
  );
  const amountKobo = toKobo(body.refundAmount);
  if (
    !transactionReference ||
    !reference ||
    !merchantNote ||
    !customerNote ||
    amountKobo === undefined
  )
    return malformed;
  if (merchantNote.length > longestReason || customerNote.length > longestNote) {
    return refuse(422, 'Refund reason or customer note is too long', 'R8');
  }
  return { transactionReference, reference, amountKobo, merchantNote, customerNote };
}

/** Only what came by transfer goes back, and not in small change. */
function findFault(sale: Payment, { amountKobo }: RefundRequest): Answer | undefined {
  if (!byTransfer(sale)) return notPermitted;
  if (amountKobo < smallestKobo)
    return refuse(422, 'Refund amount is below the minimum of 100.00', 'R4');
  return amountKobo > sale.paidKobo!
    ? refuse(422, 'Refund amount is above the transaction amount', 'R3')
    : undefined;
}

async function refundOne(
  context: SandboxContext,
  { account }: Call,
  sale: Payment,
  request: RefundRequest,
): Promise<Answer> {
  const result = await createRefund(context, account, sale.id, request);
  if (typeof result !== 'string') return { ...ok(refundShape(sale, result)), accepted: true };
  // Of two at once under one reference, the later finds no money left; the answer names the used
  // reference first.
  if (await findRefundByReference(context.sql, account, request.reference)) return usedReference;
  return result === 'unpaid' ? notPermitted : sumExceeds;
}

/** `GET /api/v1/refunds/{refundReference}`. */
export const getRefund: Endpoint = {
  method: 'get',
  path: '/api/v1/refunds/:reference',
  async handle(context, { account, params }) {
    await advanceRefunds(context);
    const refund = await findRefundOf(context, account, params.reference!);
    return refund ? ok(await toWire(context, refund)) : refuse(404, 'Refund does not exist', 'R7');
  },
};

/** `GET /api/v1/refunds`: an account's refunds, newest first, or those that the filters name. */
export const getRefunds: Endpoint = {
  method: 'get',
  path: '/api/v1/refunds',
  async handle(context, { account, query }) {
    const conditions = readConditions(query);
    if (conditions === undefined) return notProcessed;
    await advanceRefunds(context);
    return pageAnswer(
      query,
      async (window) =>
        withPayments(context.sql, await listRefunds(context.sql, account, conditions, window)),
      ([refund, payment]) => refundShape(payment, refund),
    );
  },
};

/** Reads the filters; undefined when one cannot be read. */
function readConditions(query: Record<string, unknown>): Record<string, unknown> | undefined {
  const [named, from, to] = ['refundStatus', 'from', 'to'].map((name) => text(query, name));
  const statuses = Object.entries(refundStatus).flatMap(([ours, its]) =>
    its === named ? ours : [],
  );
  const [after, before] = [from, to].map((digits) => digits && epochDate(digits));
  const isUnreadable = (named && statuses.length === 0) || (from && !after) || (to && !before);
  return isUnreadable
    ? undefined
    : {
        'payment_id in (select id from sandbox.payment where access_code = ?)': text(
          query,
          'transactionReference',
        ),
        'status = any(?)': named && statuses,
        'created_at >= ?': after,
        'created_at <= ?': before,
      };
}

async function findRefundOf(
  { sql }: SandboxContext,
  account: Account,
  reference: string,
): Promise<Refund | undefined> {
  const [, id] = new RegExp(`^${dashboardPrefix}(\\d{1,15})$`).exec(reference) ?? [];
  const named = await findRefundByReference(sql, account, reference);
  const unnamed =
    named || id === undefined ? undefined : await findRefund(sql, account, Number(id));
  return named ?? (unnamed?.reference === null ? unnamed : undefined);
}

async function toWire({ sql }: SandboxContext, refund: Refund): Promise<object> {
  return refundShape((await findPaymentById(sql, refund.paymentId))!, refund);
}
