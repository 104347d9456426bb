import { findDiscrepancy, noSuchDiscrepancy } from '../../domain/settlements/discrepancy/find.ts';
import { listDiscrepancies } from '../../domain/settlements/discrepancy/list.ts';
import { discrepancyView } from '../../domain/settlements/discrepancy/row.ts';
import { isId } from '../../domain/shared/ids.ts';
import { listReply, pageOf } from '../http/cursor.ts';
import { daysOf } from '../http/days.ts';
import type { Route } from '../http/route.ts';
import {
  type DiscrepanciesQuery,
  discrepancies,
  discrepanciesQuery,
  discrepancy,
} from './schemas.ts';

const LIST = 'discrepancies';

export const listOfDiscrepancies: Route<never, DiscrepanciesQuery> = {
  method: 'get',
  path: '/discrepancies',
  summary: 'List discrepancies, newest first; from and to are about the day they belong to',
  may: 'read',
  query: discrepanciesQuery,
  answers: { 200: discrepancies },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const { status, kind, provider: slot, settlement: settlementId } = query;
    const wanted = {
      status,
      kind,
      slot,
      settlementId,
      days: daysOf(query),
      before: page.before,
      limit: page.limit + 1,
    };
    return listReply(
      who,
      LIST,
      page,
      await listDiscrepancies(context.db, who, wanted),
      discrepancyView,
    );
  },
};

export const readDiscrepancy: Route = {
  method: 'get',
  path: '/discrepancies/:id',
  summary: 'Read a discrepancy',
  may: 'read',
  answers: { 200: discrepancy },
  async handle({ context, caller, params }) {
    return {
      status: 200,
      body: discrepancyView(
        await findDiscrepancy(context.db, await caller(), discrepancyId(params)),
      ),
    };
  },
};

/** The id in the path. Throws `not_found` when it cannot be one. */
export function discrepancyId({ id = '' }: Record<string, string>): string {
  if (!isId('dsc', id)) throw noSuchDiscrepancy();
  return id;
}
