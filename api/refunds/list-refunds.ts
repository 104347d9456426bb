import type { Static } from 'typebox';
import { listRefunds as selectRefunds } from '../../domain/payments/refund/find.ts';
import { refundView } from '../../domain/payments/refund/row.ts';
import { numberOf } from '../../domain/shared/ids.ts';
import { listRoute } from '../http/cursor.ts';
import { refunds, refundsQuery } from './schemas.ts';

/** No charge has it; it stands for a reference with a number beyond ours, too. */
const NO_CHARGE = 0;

export const listRefunds = listRoute({
  path: '/refunds',
  operationId: 'listRefunds',
  summary: 'List refunds, newest first, by status and by the service reference of their charge',
  credential: 'read',
  query: refundsQuery,
  answer: refunds,
  async list({ context, query }, caller, page) {
    const wanted = { ...page, ...refundsOf(query) };
    const rows = await context.read((db) => selectRefunds(db, caller, wanted));
    return rows.map(refundView);
  },
});

export function refundsOf({ status, reference }: Static<typeof refundsQuery>) {
  return {
    status,
    chargeNumber: reference ? (numberOf(reference) ?? NO_CHARGE) : undefined,
  };
}
