import type { Endpoint, SandboxContext } from '../context.ts';
import { text, toId } from '../fields.ts';
import { findPaymentById, listPayments } from '../payments.ts';
import type { Account, Payment } from '../records.ts';
import { noTransaction, ok, refuse } from './answers.ts';
import { listAnswer } from './query.ts';
import { transactionRow, transactionShape } from './transaction-shape.ts';

/**
 * `GET /transactions/verify_by_reference?tx_ref=`: the newest attempt. A link nobody tried to pay
 * at is not found.
 */
export const verifyByReference: Endpoint = {
  method: 'get',
  path: '/transactions/verify_by_reference',
  counts: { as: 'verify', reference: ({ query }) => text(query, 'tx_ref') },
  async handle(_context, { account, query, verified }) {
    if (text(query, 'tx_ref') === undefined) return refuse(400, 'tx_ref is required');
    return verified
      ? ok('Transaction fetched successfully', transactionShape(account, verified))
      : noTransaction;
  },
};

/** `GET /transactions/{id}/verify`. */
export const verify: Endpoint = {
  method: 'get',
  path: '/transactions/:id/verify',
  counts: { as: 'verify', reference: () => undefined },
  async handle(context, { account, params }) {
    const payment = await findTransaction(context, account, params.id);
    return payment
      ? ok('Transaction fetched successfully', transactionShape(account, payment))
      : noTransaction;
  },
};

/** `GET /transactions`. */
export const getTransactions: Endpoint = {
  method: 'get',
  path: '/transactions',
  handle(context, call) {
    const currency = text(call.query, 'currency');
    const conditions = {
      'reference = ?': text(call.query, 'tx_ref'),
      'email = ?': text(call.query, 'customer_email'),
      'outcome = ?': toOutcome(text(call.query, 'status')),
      'id = ?': currency === undefined || currency === 'NGN' ? undefined : 0,
    };
    return listAnswer(
      call,
      'Transactions fetched',
      ({ window, dates }) =>
        listPayments(context.sql, call.account, { ...conditions, ...dates }, window),
      (payment) => transactionRow(call.account, payment),
    );
  },
};

/** An account's transaction by its number. */
export async function findTransaction(
  context: SandboxContext,
  account: Account,
  id: string | undefined,
): Promise<Payment | undefined> {
  const payment = await findPaymentById(context.sql, toId(id) ?? 0);
  return payment?.accountId === account.id && payment.kind !== 'link' ? payment : undefined;
}

/** A status that no attempt can have finds none. */
function toOutcome(status: string | undefined): string | undefined {
  return status === 'successful' ? 'paid' : status;
}
