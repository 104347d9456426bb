import type { Tx } from '../../shared/tx.ts';

/**
 * Locks a link. A transaction that may pay it calls this before it writes to a charge of the link.
 * Whoever opens another charge locks the link first: it waits here and then finds the link paid,
 * instead of finding it without an open charge and not yet paid. With the link locked after the
 * charge, the two transactions would wait for each other.
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

/**
 * A link whose charge was paid is paid, with that charge as its transaction. It must be locked, and
 * not paid yet: the first payment stays the link's.
 */
export async function payLink({ sql }: Tx, linkId: string, chargeId: string): Promise<void> {
  await sql.query(`update payment_links set status = 'paid', transaction_id = $2 where id = $1`, [
    linkId,
    chargeId,
  ]);
}
