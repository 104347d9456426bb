import { balancesAt, balanceView } from '../../domain/journal/balances.ts';
import { route } from '../http/route.ts';
import { balances, balancesQuery } from './schemas.ts';

export const listBalances = route({
  method: 'get',
  path: '/balances',
  operationId: 'listBalances',
  summary: 'List balances, now or at any moment of the past, one for each provider',
  credential: 'read',
  query: balancesQuery,
  answers: { 200: balances },
  async handle({ context, caller: asker, query }) {
    const caller = await asker();
    const at = query.at === undefined ? null : new Date(query.at);
    const found = await context.read((db) => balancesAt(db, caller, at));
    const data = found.map(([slot, balance]) => balanceView(slot, balance, caller.mode));
    return { status: 200, body: { data, tenant_id: caller.tenantId } };
  },
});
