import {
  findSettlement,
  listSettlements,
  noSuchSettlement,
} from '../../domain/settlements/settlement/find.ts';
import { settlementView } from '../../domain/settlements/settlement/row.ts';
import { isId } from '../../domain/shared/ids.ts';
import { listReply, pageOf } from '../http/cursor.ts';
import { daysOf } from '../http/days.ts';
import type { Route } from '../http/route.ts';
import { type SettlementsQuery, settlement, settlements, settlementsQuery } from './schemas.ts';

const LIST = 'settlements';

export const listOfSettlements: Route<never, SettlementsQuery> = {
  method: 'get',
  path: '/settlements',
  summary: 'List settlements, newest first; from and to are about the expected date',
  may: 'read',
  query: settlementsQuery,
  answers: { 200: settlements },
  async handle({ context, caller, query }) {
    const who = await caller();
    const page = pageOf(who, LIST, query);
    const { status, provider: slot } = query;
    const wanted = {
      status,
      slot,
      expected: daysOf(query),
      before: page.before,
      limit: page.limit + 1,
    };
    return listReply(
      who,
      LIST,
      page,
      await listSettlements(context.db, who, wanted),
      settlementView,
    );
  },
};

export const readSettlement: Route = {
  method: 'get',
  path: '/settlements/:id',
  summary: 'Read a settlement',
  may: 'read',
  answers: { 200: settlement },
  async handle({ context, caller, params }) {
    return {
      status: 200,
      body: settlementView(await findSettlement(context.db, await caller(), settlementId(params))),
    };
  },
};

/** The id in the path. Throws `not_found` when it cannot be one. */
export function settlementId({ id = '' }: Record<string, string>): string {
  if (!isId('stl', id)) throw noSuchSettlement();
  return id;
}
