import { statusesBefore } from '../../shared/transitions.ts';
import type { Tx } from '../../shared/tx.ts';
import { linkTransitions } from './transitions.ts';

/**
 * Must come before anything is written to a charge of the link in a transaction that may pay it.
 * Whoever would open another charge locks the link first: they wait here and then find it paid,
 * instead of finding it free of open charges and not yet paid. Locked after the charge was written
 * to, the two would wait for each other, for an open charge that is being changed is waited for
 * too.
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
 * A link whose charge was paid is paid, with that charge as its transaction. The first payment
 * stays the link's.
 */
export async function payLink({ sql }: Tx, linkId: string, chargeId: string): Promise<void> {
  await sql.query(
    `update payment_links set status = 'paid', transaction_id = $2 where id = $1 and status = any($3)`,
    [linkId, chargeId, statusesBefore(linkTransitions, 'paid')],
  );
}
