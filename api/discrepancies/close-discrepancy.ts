import { closeDiscrepancy as close } from '../../domain/settlements/discrepancy/close.ts';
import { discrepancyView } from '../../domain/settlements/discrepancy/row.ts';
import { changeRoute } from '../http/idempotency.ts';
import { closeDiscrepancyBody, discrepancy } from './schemas.ts';

export const closeDiscrepancy = changeRoute({
  path: '/discrepancies/:id/close',
  operationId: 'closeDiscrepancy',
  summary: 'Close a discrepancy: it is accepted as it is, for a reason',
  credential: 'close discrepancies',
  body: closeDiscrepancyBody,
  answers: { 200: discrepancy },
  refusals: ['invalid_state'],
  change: async (tx, caller, { id, body: { reason } }) =>
    discrepancyView(await close(tx, caller, { id, reason })),
});
