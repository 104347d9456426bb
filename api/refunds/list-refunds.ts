import { listRefunds as selectRefunds } from '../../domain/payments/refund/find.ts';
import { refundView } from '../../domain/payments/refund/row.ts';
import { numberOf } from '../../domain/shared/ids.ts';
import { listReply, pageOf } from '../http/cursor.ts';
import { route } from '../http/route.ts';
import { refunds, refundsQuery } from './schemas.ts';

const LIST = 'refunds';

export const listRefunds = route({
  method: 'get',
  path: '/refunds',
  operationId: 'listRefunds',
  summary: 'List refunds, newest first, by status and by the service reference of their charge',
  credential: 'read',
  query: refundsQuery,
  answers: { 200: refunds },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const wanted = {
      status: query.status,
      chargeNumber: chargeNumberOf(query.reference),
      before: page.before,
      limit: page.limit + 1,
    };
    const rows = await context.read((db) => selectRefunds(db, who, wanted));
    return listReply(who, LIST, page, rows, refundView);
  },
});

/**
 * A reference with a number beyond ours names no charge, just as the number 0.
 */
function chargeNumberOf(reference: string | undefined): number | undefined {
  return reference === undefined ? undefined : (numberOf(reference) ?? 0);
}
