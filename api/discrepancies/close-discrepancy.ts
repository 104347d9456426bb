import { closeDiscrepancy as close } from '../../domain/settlements/discrepancy/close.ts';
import { noSuchDiscrepancy } from '../../domain/settlements/discrepancy/find.ts';
import { discrepancyView } from '../../domain/settlements/discrepancy/row.ts';
import { changeInTx } from '../http/idempotency.ts';
import { pathId } from '../http/path-id.ts';
import { route } from '../http/route.ts';
import { closeDiscrepancyBody, discrepancy } from './schemas.ts';

export const closeDiscrepancy = route({
  method: 'post',
  path: '/discrepancies/:id/close',
  operationId: 'closeDiscrepancy',
  summary: 'Close a discrepancy: it is accepted as it is, for a reason',
  credential: 'close discrepancies',
  body: closeDiscrepancyBody,
  answers: { 200: discrepancy },
  refusals: ['invalid_state'],
  async handle({ context, caller, params, body }) {
    const who = await caller();
    return changeInTx(context, async (tx) => {
      const closed = await close(tx, who, {
        id: pathId(params, 'dsc', noSuchDiscrepancy),
        reason: body.reason,
      });
      return { status: 200, body: discrepancyView(closed) };
    });
  },
});
