import type { Context } from '../../config/context.ts';
import { findByNumber, findByTransactionId } from '../../domain/payments/charge/find.ts';
import { type ChargeRow, transactionView } from '../../domain/payments/charge/row.ts';
import { isId, numberOf } from '../../domain/shared/ids.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { readRoute } from '../http/route.ts';
import type { Caller } from '../middleware/authenticate.ts';
import { transaction } from './schemas.ts';

export const getTransaction = readRoute({
  path: '/transactions/:id',
  operationId: 'getTransaction',
  summary: 'Read a transaction by its txn_ id or its service reference, as the ledger has it',
  credential: 'read',
  answer: transaction,
  read: async (context, caller, id) => transactionView(await transactionOf(context, caller, id)),
});

/** Finds it by either of its two names. Throws `not_found`. */
async function transactionOf({ db }: Context, caller: Caller, id: string): Promise<ChargeRow> {
  const number = numberOf(id);
  if (number === undefined && !isId('txn', id))
    throw notFound('It is read by its txn_ id or by its service reference, like SV-100001.');
  const charge =
    number === undefined
      ? await findByTransactionId(db, caller, id)
      : await findByNumber(db, caller, number);
  if (!charge) throw notFound('A live transaction read with a test key is not found.');
  return charge;
}

function notFound(why: string): Problem {
  return new Problem('not_found', `There is no such transaction in this mode. ${why}`);
}
