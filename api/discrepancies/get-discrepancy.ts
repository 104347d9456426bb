import { findDiscrepancy } from '../../domain/settlements/discrepancy/find.ts';
import { discrepancyView } from '../../domain/settlements/discrepancy/row.ts';
import { readRoute } from '../http/route.ts';
import { discrepancy } from './schemas.ts';

export const getDiscrepancy = readRoute({
  path: '/discrepancies/:id',
  operationId: 'getDiscrepancy',
  summary: 'Read a discrepancy',
  credential: 'read',
  answer: discrepancy,
  read: async ({ db }, caller, id) => discrepancyView(await findDiscrepancy(db, caller, id)),
});
