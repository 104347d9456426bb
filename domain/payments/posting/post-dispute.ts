import type { Moved } from '../../journal/moved.ts';
import { post } from '../../journal/post.ts';
import type { Tx } from '../../shared/tx.ts';
import type { DisputeRow } from '../dispute/row.ts';
import type { DisputeStatus } from '../dispute/transitions.ts';

/** Also its beginning, where nobody reported that. */
export async function postDispute(
  tx: Tx,
  known: DisputeRow | undefined,
  dispute: DisputeRow,
): Promise<void> {
  const { id: source, tenant_id: tenantId, mode, connection_id: connectionId } = dispute;
  const owner = { tenantId, mode, connectionId };
  const { amount_kobo: kobo, status, opened_at: openedAt, decided_at: decidedAt } = dispute;
  const movement = (to: DisputeStatus, occurredAt: Date) =>
    ({ source, type: 'dispute', moved: movedBy(kobo)[to], occurredAt }) as const;
  if (!known) await post(tx, owner, [movement('open', openedAt)], { isNew: true });
  if (status !== 'open' && status !== known?.status)
    await post(tx, owner, [movement(status, decidedAt ?? tx.now)]);
}

const movedBy = (kobo: number): Record<DisputeStatus, Moved> => ({
  open: { held_by_dispute: kobo, at_provider: -kobo },
  won: {},
  lost: { disputes_lost: kobo, at_provider: -kobo },
});
