import { advanced, advanceRefunds, findAdvanced } from '../advance-refunds.ts';
import type { Answer, Call, Endpoint, SandboxContext } from '../context.ts';
import { text, toId } from '../fields.ts';
import { findPaymentById, findPaymentByReference, listPayments } from '../payments.ts';
import type { Payment, PaymentStatus, Settlement } from '../records.ts';
import { asStated, currencyStated, findSettlement, listSettled } from '../settlements.ts';
import { invalid, notFound, ok, refuse } from './answers.ts';
import { listAnswer } from './query.ts';
import { transactionShape, transactionStatus } from './transaction-shape.ts';

/**
 * `GET /transaction/verify/{reference}`. Absent answers 400 here, as seen live, though the resource
 * is what is missing.
 */
export const verify: Endpoint = {
  method: 'get',
  path: '/transaction/verify/:reference',
  counts: { as: 'verify', reference: ({ params }) => params.reference },
  async handle(context, { account, params, verified }) {
    const payment = await advanced(context, verified, () =>
      findPaymentByReference(context.sql, account, params.reference!),
    );
    if (!payment)
      return refuse(400, 'Transaction reference not found.', 'transaction_not_found', lookAgain);
    return ok('Verification successful', transactionShape(account, payment));
  },
};

const lookAgain =
  "Ensure that you're passing the reference of a transaction that exists on this integration";

/** `GET /transaction/{id}`. */
export const getTransaction: Endpoint = {
  method: 'get',
  path: '/transaction/:id',
  counts: { as: 'verify', reference: () => undefined },
  async handle(context, { account, params }) {
    const id = toId(params.id);
    if (id === undefined) return invalid('Transaction ID should be numeric.');
    const payment = await findAdvanced(context, () => findPaymentById(context.sql, id));
    return payment?.accountId === account.id
      ? ok('Transaction retrieved', transactionShape(account, payment))
      : notFound('Transaction');
  },
};

/** `GET /transaction`. */
export const getTransactions: Endpoint = {
  method: 'get',
  path: '/transaction',
  async handle(context, call) {
    const wanted = text(call.query, 'settlement');
    const id = wanted === undefined ? undefined : toId(wanted);
    if (wanted !== undefined && id === undefined)
      return invalid('Settlement ID should be numeric.');
    await advanceRefunds(context);
    if (id === undefined) return listTransactions(context, call);
    const settlement = await findSettlement(context.sql, call.account, id);
    return settlement
      ? listLines(context, call, settlement)
      : listTransactions(context, call, { 'id = ?': 0 });
  },
};

function listTransactions(
  context: SandboxContext,
  call: Call,
  conditions: Record<string, unknown> = {},
): Promise<Answer> {
  return listAnswer(
    call,
    'Transactions retrieved',
    ({ window, dates }) =>
      listPayments(
        context.sql,
        call.account,
        { ...conditions, ...ofStatus(call), ...dates },
        window,
      ),
    (payment) => transactionShape(call.account, payment),
    true,
  );
}

/** The transactions of a settlement, as its lines state them. */
export function listLines(
  context: SandboxContext,
  call: Call,
  settlement: Settlement,
): Promise<Answer> {
  const conditions = { 'settlement_id = ?': settlement.id, ...ofStatus(call) };
  const isWhole = !['status', 'from', 'to'].some((name) => text(call.query, name));
  return listAnswer(
    call,
    'Transactions retrieved',
    ({ window, dates }) =>
      isWhole
        ? listSettled<Payment>(context.sql, 'sandbox.payment_state', settlement, window)
        : listPayments(context.sql, call.account, { ...conditions, ...dates }, window),
    (payment) => ({
      ...transactionShape(call.account, asStated(payment)),
      currency: currencyStated(payment),
    }),
    true,
  );
}

function ofStatus({ query }: Call): Record<string, unknown> {
  const status = text(query, 'status');
  return { 'status = ?': status === undefined ? undefined : toStatus(status) };
}

/** A status that no payment can have finds none. */
function toStatus(name: string): PaymentStatus | 'unheard of' {
  const found = Object.entries(transactionStatus).find(([, wireName]) => wireName === name);
  return (found?.[0] as PaymentStatus | undefined) ?? 'unheard of';
}
