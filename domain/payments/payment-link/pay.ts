import type { Tx } from '../../shared/tx.ts';
import { statusesBefore } from './transitions.ts';

/**
 * Must come before anything is written to a charge of the link in a transaction that may pay it. Whoever would open another charge locks the
 * link first: they wait here and then find it paid, instead of finding it free of open charges and not yet paid. Locked after the charge
 * was written to, the two would wait for each other, for an open charge that is being changed is waited for too.
 */
export async function lockLink({ sql }: Tx, linkId: string): Promise<void> {
  await sql.query('select 1 from payment_links where id = $1 for update', [linkId]);
}

/**
 * A link whose charge was paid is paid, with that charge as its transaction. Returns the charge that is the link's: another one than
 * `chargeId` when the link was paid before, for the first payment stays.
 */
export async function payLink(
  { sql }: Tx,
  linkId: string,
  chargeId: string,
): Promise<string | null> {
  const paid = await sql.query(
    `update payment_links set status = 'paid', transaction_id = $2 where id = $1 and status = any($3) returning 1`,
    [linkId, chargeId, statusesBefore('paid')],
  );
  if (paid.length > 0) return chargeId;
  const [link] = await sql.query<{ transaction_id: string | null }>(
    'select transaction_id from payment_links where id = $1',
    [linkId],
  );
  return link?.transaction_id ?? null;
}
