import { findSettlement, noSuchSettlement } from '../../domain/settlements/settlement/find.ts';
import { settlementView } from '../../domain/settlements/settlement/row.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { settlement } from './schemas.ts';

export const getSettlement = route({
  method: 'get',
  path: '/settlements/:id',
  operationId: 'getSettlement',
  summary: 'Read a settlement',
  credential: 'read',
  answers: { 200: settlement },
  async handle({ context, caller, params }) {
    return {
      status: 200,
      body: settlementView(
        await findSettlement(context.db, await caller(), pathId(params, 'stl', noSuchSettlement)),
      ),
    };
  },
});
