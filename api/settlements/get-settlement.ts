import { findSettlement } from '../../domain/settlements/settlement/find.ts';
import { settlementView } from '../../domain/settlements/settlement/row.ts';
import { readRoute } from '../http/route.ts';
import { settlement } from './schemas.ts';

export const getSettlement = readRoute({
  path: '/settlements/:id',
  operationId: 'getSettlement',
  summary: 'Read a settlement',
  credential: 'read',
  answer: settlement,
  read: async ({ db }, caller, id) => settlementView(await findSettlement(db, caller, id)),
});
