import type { Tx } from '../../shared/tx.ts';

/**
 * Called before a charge of the link is written: whoever opens another charge waits here and finds
 * the link paid. Locked in the other order, the two would deadlock.
 */
export async function lockLink(
  { sql }: Tx,
  linkId: string,
): Promise<{ id: string; paidBy: string | null }> {
  const [link] = await sql.query<{ id: string; paidBy: string | null }>(
    'select id, transaction_id as "paidBy" from payment_links where id = $1 for update',
    [linkId],
  );
  return link ?? { id: linkId, paidBy: null };
}

/** It must be locked and not paid yet: the first payment stays the link's. */
export async function payLink({ sql }: Tx, linkId: string, chargeId: string): Promise<void> {
  await sql.query(`update payment_links set status = 'paid', transaction_id = $2 where id = $1`, [
    linkId,
    chargeId,
  ]);
}
