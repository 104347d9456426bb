import { closeDiscrepancy as close } from '../../domain/settlements/discrepancy/close.ts';
import { discrepancyView } from '../../domain/settlements/discrepancy/row.ts';
import { changeInTx } from '../http/idempotency.ts';
import type { Route } from '../http/route.ts';
import { discrepancyId } from './read-discrepancies.ts';
import { type CloseBody, closeBody, discrepancy } from './schemas.ts';

export const closeDiscrepancy: Route<CloseBody> = {
  method: 'post',
  path: '/discrepancies/:id/close',
  summary: 'Close a discrepancy: it is accepted as it is, for a reason',
  may: 'close discrepancies',
  body: closeBody,
  answers: { 200: discrepancy },
  refusals: ['invalid_state'],
  async handle({ context, caller, params, body }) {
    const who = await caller();
    return changeInTx(context, async (tx) => {
      const closed = await close(tx, who, { id: discrepancyId(params), reason: body.reason });
      return { status: 200, body: discrepancyView(closed) };
    });
  },
};
