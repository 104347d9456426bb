import { advanced, findAdvanced } from '../advance-refunds.ts';
import type { Answer, Call, Endpoint, SandboxContext } from '../context.ts';
import { text } from '../fields.ts';
import { findPaymentByReference } from '../payments.ts';
import type { Payment } from '../records.ts';
import { malformed, ok, refuse } from './answers.ts';
import { merchantName } from './merchant.ts';
import { findSaleByTransactionReference } from './sales.ts';
import { transactionShape } from './transaction-shape.ts';

/** `GET /api/v2/merchant/transactions/query?paymentReference=` or `?transactionReference=`. */
export const queryTransaction: Endpoint = {
  method: 'get',
  path: '/api/v2/merchant/transactions/query',
  counts: { as: 'verify', reference: ({ query }) => text(query, 'paymentReference') },
  async handle(context, call) {
    const paymentReference = text(call.query, 'paymentReference');
    const transactionReference = text(call.query, 'transactionReference');
    if (transactionReference !== undefined)
      return getByTransactionReference(context, call, transactionReference);
    if (paymentReference === undefined) return malformed;
    const sale = await advanced(context, call.verified, () =>
      findPaymentByReference(context.sql, call.account, paymentReference),
    );
    return sale ? show(context, sale) : notFoundByPaymentReference(call, paymentReference);
  },
};

/** `GET /api/v2/transactions/{transactionReference}`. */
export const getTransaction: Endpoint = {
  method: 'get',
  path: '/api/v2/transactions/:reference',
  counts: { as: 'verify', reference: () => undefined },
  handle: (context, call) => getByTransactionReference(context, call, call.params.reference!),
};

/** No payment of this account has the transaction reference. */
export const notFound = refuse(
  404,
  "There's no transaction matching supplied reference. Please confirm supplied reference and try again.",
  99,
);

async function getByTransactionReference(
  context: SandboxContext,
  { account }: Call,
  reference: string,
): Promise<Answer> {
  const sale = await findAdvanced(context, () =>
    findSaleByTransactionReference(context.sql, account, reference),
  );
  return sale ? show(context, sale) : notFound;
}

function notFoundByPaymentReference({ account }: Call, reference: string): Answer {
  return refuse(
    404,
    `Could not find transaction with payment reference ${reference} for merchant ${merchantName(account)}`,
    99,
  );
}

function show(context: SandboxContext, sale: Payment): Answer {
  return ok(transactionShape(sale, context.now()));
}
