import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { Problem } from '../../shared/problems.ts';
import { statusesBefore } from '../../shared/transitions.ts';
import type { Tx } from '../../shared/tx.ts';
import { findLink, noSuchLink } from './find.ts';
import type { PaymentLinkRow } from './row.ts';
import { linkStatusAt, linkTransitions } from './transitions.ts';

/**
 * Disables a link: nobody can begin to pay it any more. Doing it again changes nothing. Throws `not_found`, and `invalid_state` for a
 * link that was paid or has expired.
 */
export async function disableLink(tx: Tx, actor: Actor, id: string): Promise<PaymentLinkRow> {
  const { sql, now } = tx;
  const [disabled] = await sql.query<PaymentLinkRow>(
    `update payment_links set status = 'disabled'
     where id = $1 and tenant_id = $2 and mode = $3 and status = any($4) and expires_at > $5 returning *`,
    [
      id,
      actor.tenantId,
      actor.mode,
      statusesBefore(linkTransitions, 'disabled by the merchant'),
      now,
    ],
  );
  if (disabled) {
    await recordChange(tx, actor, 'payment_link.disabled', id);
    return disabled;
  }
  const link = await findLink(sql, actor, id);
  if (!link) throw noSuchLink();
  const status = linkStatusAt(link, now);
  if (status === 'disabled') return link;
  throw new Problem(
    'invalid_state',
    status === 'paid'
      ? 'This payment link was paid already.'
      : 'This payment link has expired already.',
  );
}
