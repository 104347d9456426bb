import { advanceRefunds } from '../advance-refunds.ts';
import type { Answer, Call, Endpoint, SandboxContext } from '../context.ts';
import { text, toId } from '../fields.ts';
import { findPaymentById, findPaymentByReference } from '../payments.ts';
import type { Account, Payment, Refund } from '../records.ts';
import {
  findRefund,
  listRefunds,
  type RefundRefusal,
  createRefund as refundPayment,
} from '../refunds.ts';
import { invalid, missing, notFound, ok, refuse } from './answers.ts';
import { listAnswer } from './query.ts';
import { refundRow, refundShape, refundWithTransaction } from './refund-shape.ts';

/**
 * `POST /refund`: by transaction id or reference, of all that is left or of a part. Paystack knows
 * no key that would make it safe to repeat.
 */
export const createRefund: Endpoint = {
  method: 'post',
  path: '/refund',
  async handle(context, call) {
    const { transaction, amount, currency = 'NGN' } = call.body;
    if (!transaction) return missing('Transaction is required', 'transaction');
    if (amount !== undefined && !/^[1-9]\d{0,14}$/.test(String(amount)))
      return invalid('Invalid Amount Sent');
    if (currency !== 'NGN') return invalid('Currency does not match the transaction');
    const payment = await findPayment(context, call.account, String(transaction));
    return payment ? refundOne(context, call, payment) : notFound('Transaction');
  },
};

async function refundOne(
  context: SandboxContext,
  { account, body }: Call,
  payment: Payment,
): Promise<Answer> {
  const result = await refundPayment(context, account, payment.id, {
    amountKobo: body.amount === undefined ? undefined : Number(body.amount),
    customerNote: toNote(body.customer_note),
    merchantNote: toNote(body.merchant_note),
  });
  if (typeof result === 'string') return refusals[result];
  return {
    ...ok('Refund has been queued for processing', refundWithTransaction(account, payment, result)),
    accepted: true,
  };
}

const refusals: Record<RefundRefusal, Answer> = {
  unpaid: refuse(
    400,
    'Transaction has not been completed',
    'invalid_params',
    'Refund a transaction that is successful',
  ),
  reversed: refuse(
    400,
    'Transaction has been fully reversed',
    'transaction_reversed',
    'Refund another transaction',
    'api_error',
  ),
  'too much': invalid(
    'Refund amount cannot be more than the amount left on the transaction',
    'Send a smaller amount',
  ),
};

/** `GET /refund/{id}`. */
export const getRefund: Endpoint = {
  method: 'get',
  path: '/refund/:id',
  async handle(context, { account, params }) {
    await advanceRefunds(context);
    const refund = await findRefund(context.sql, account, toId(params.id) ?? 0);
    return refund ? ok('Refund retrieved', refundShape(account, refund)) : notFound('Refund');
  },
};

/** `GET /refund?transaction={id}`. */
export const getRefunds: Endpoint = {
  method: 'get',
  path: '/refund',
  async handle(context, call) {
    const transaction = text(call.query, 'transaction');
    const paymentId = transaction === undefined ? undefined : toId(transaction);
    if (transaction !== undefined && paymentId === undefined)
      return invalid('Transaction ID should be numeric.');
    await advanceRefunds(context);
    return listAnswer(
      call,
      'Refunds retrieved',
      ({ window, dates }) =>
        listRefunds(context.sql, call.account, { 'payment_id = ?': paymentId, ...dates }, window),
      (refund: Refund) => refundRow(call.account, refund),
    );
  },
};

async function findPayment(
  context: SandboxContext,
  account: Account,
  idOrReference: string,
): Promise<Payment | undefined> {
  const id = toId(idOrReference);
  const byId = id === undefined ? undefined : await findPaymentById(context.sql, id);
  if (byId?.accountId === account.id) return byId;
  return findPaymentByReference(context.sql, account, idOrReference.replaceAll('\0', ''));
}

function toNote(note: unknown): string | undefined {
  return typeof note === 'string' ? note.replaceAll('\0', '') : undefined;
}
