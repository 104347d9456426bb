import { findRefund, listRefunds, noSuchRefund } from '../../domain/payments/refund/find.ts';
import { refundView } from '../../domain/payments/refund/row.ts';
import { isId, numberOf } from '../../domain/shared/ids.ts';
import { listReply, pageOf } from '../http/cursor.ts';
import type { Route } from '../http/route.ts';
import { type RefundsQuery, refund, refunds, refundsQuery } from './schemas.ts';

const LIST = 'refunds';

export const listOfRefunds: Route<never, RefundsQuery> = {
  method: 'get',
  path: '/refunds',
  summary: 'List refunds, newest first, by status and by the service reference of their charge',
  may: 'read',
  query: refundsQuery,
  answers: { 200: refunds },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const wanted = {
      status: query.status,
      chargeNumber: chargeNumberOf(query),
      before: page.before,
      limit: page.limit + 1,
    };
    return listReply(who, LIST, page, await listRefunds(context.db, who, wanted), refundView);
  },
};

/** A reference too long for any number of ours is a charge that does not exist, as the number 0 is. */
function chargeNumberOf({ reference }: RefundsQuery): number | undefined {
  return reference === undefined ? undefined : (numberOf(reference) ?? 0);
}

export const readRefund: Route = {
  method: 'get',
  path: '/refunds/:id',
  summary: 'Read a refund',
  may: 'read',
  answers: { 200: refund },
  async handle({ context, caller, params }) {
    return {
      status: 200,
      body: refundView(await findRefund(context.db, await caller(), refundId(params))),
    };
  },
};

/** The id in the path. Throws `not_found` when it cannot be one. */
export function refundId({ id = '' }: Record<string, string>): string {
  if (!isId('ref', id)) throw noSuchRefund();
  return id;
}
