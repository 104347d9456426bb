import type { Moved } from '../../journal/moved.ts';
import { post } from '../../journal/post.ts';
import type { Tx } from '../../shared/tx.ts';
import type { DisputeRow } from '../dispute/row.ts';
import { postReturns } from './post-returns.ts';

/** Also its beginning, where nobody reported that. The charge must be locked. */
export async function postDispute(
  tx: Tx,
  known: DisputeRow | undefined,
  dispute: DisputeRow,
): Promise<void> {
  const { id: source, tenant_id: tenantId, mode, connection_id: connectionId } = dispute;
  const owner = { tenantId, mode, connectionId };
  const { amount_kobo: kobo, status, opened_at: openedAt, decided_at: decidedAt } = dispute;
  const movement = (moved: Moved, occurredAt: Date) =>
    ({ source, type: 'dispute', moved, occurredAt }) as const;
  const withheld = { held_by_dispute: kobo, at_provider: -kobo };
  if (!known) await post(tx, owner, [movement(withheld, openedAt)], { isNew: true });
  if (status === known?.status) return;
  if (status === 'won') await post(tx, owner, [movement({}, decidedAt ?? tx.now)]);
  if (status === 'lost') await postReturns(tx, dispute.capture_id);
}
