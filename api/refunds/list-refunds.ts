import type { Static } from 'typebox';
import { listRefunds as selectRefunds } from '../../domain/payments/refund/find.ts';
import { refundView } from '../../domain/payments/refund/row.ts';
import { wantedNumber } from '../../domain/shared/ids.ts';
import { listRoute } from '../http/cursor.ts';
import { refunds, refundsQuery } from './schemas.ts';

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
    chargeNumber: wantedNumber(reference),
  };
}
