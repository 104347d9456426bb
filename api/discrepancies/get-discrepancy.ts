import { findDiscrepancy, noSuchDiscrepancy } from '../../domain/settlements/discrepancy/find.ts';
import { discrepancyView } from '../../domain/settlements/discrepancy/row.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { discrepancy } from './schemas.ts';

export const getDiscrepancy = route({
  method: 'get',
  path: '/discrepancies/:id',
  operationId: 'getDiscrepancy',
  summary: 'Read a discrepancy',
  credential: 'read',
  answers: { 200: discrepancy },
  async handle({ context, caller, params }) {
    return {
      status: 200,
      body: discrepancyView(
        await findDiscrepancy(context.db, await caller(), pathId(params, 'dsc', noSuchDiscrepancy)),
      ),
    };
  },
});
