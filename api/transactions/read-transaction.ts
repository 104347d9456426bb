import { findByTransactionId } from '../../domain/charge/find.ts';
import { transactionView } from '../../domain/charge/row.ts';
import { isId } from '../../domain/ids.ts';
import { Problem } from '../../domain/problems.ts';
import { chargeOf } from '../charges/read-charge.ts';
import type { Route } from '../route.ts';
import { transaction } from './schemas.ts';

export const readTransaction: Route = {
  method: 'get',
  path: '/transactions/:id',
  summary: 'Read a transaction by its txn_ id or its service reference, as the ledger has it',
  may: 'read',
  answers: { 200: transaction },
  async handle({ context, caller, params }) {
    const who = await caller();
    const id = params.id!;
    if (!isId('txn', id)) return { status: 200, body: transactionView(await chargeOf(context, who, id)) };
    const charge = await findByTransactionId(context.db, who, id);
    if (!charge) throw new Problem('not_found', 'There is no such transaction in this mode.');
    return { status: 200, body: transactionView(charge) };
  },
};
