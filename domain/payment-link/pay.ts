import type { Phase } from '../phase.ts';
import { statusesBefore } from './machine.ts';

/**
 * A link whose charge was paid is paid, with that charge as its transaction. Returns the charge that is the link's: another one than
 * `chargeId` when the link was paid before, for the first payment stays.
 *
 * Must be written before the charge's own status, in the same phase: whoever would open another charge of the link locks the link first,
 * so they wait here and then find it paid, instead of finding it free of open charges and not yet paid.
 */
export async function payLink({ sql }: Phase, linkId: string, chargeId: string): Promise<string | null> {
  const paid = await sql.query(
    `update payment_links set status = 'paid', transaction_id = $2 where id = $1 and status = any($3) returning 1`,
    [linkId, chargeId, statusesBefore('paid')],
  );
  if (paid.length > 0) return chargeId;
  const [link] = await sql.query<{ transaction_id: string | null }>('select transaction_id from payment_links where id = $1', [linkId]);
  return link?.transaction_id ?? null;
}
