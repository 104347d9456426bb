import { LockMode } from '@mikro-orm/core';
import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { Problem } from '../../shared/problems.ts';
import { follow } from '../../shared/transitions.ts';
import type { Tx } from '../../shared/tx.ts';
import { PaymentLink } from '../entities/payment-link.ts';
import { noSuchLink } from './find.ts';
import type { PaymentLinkRow } from './row.ts';
import { linkStatusAt, linkTransitions } from './transitions.ts';

/**
 * No payer can begin any more; repeats change nothing. Throws `not_found`, and `invalid_state` for
 * a link that was paid or expired.
 */
export async function disableLink(tx: Tx, actor: Actor, id: string): Promise<PaymentLinkRow> {
  const link = await tx.em.findOne(
    PaymentLink,
    { id, tenant_id: actor.tenantId, mode: actor.mode },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!link) throw noSuchLink();
  const status = linkStatusAt(link, tx.now);
  if (status === 'disabled') return link;
  const disabled = follow(linkTransitions, status, 'disabled by the merchant');
  if (!disabled)
    throw new Problem(
      'invalid_state',
      status === 'paid'
        ? 'This payment link was paid already.'
        : 'This payment link has expired already.',
    );
  link.status = disabled;
  await recordChange(tx, actor, 'payment_link.disabled', id);
  return link;
}
