import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { Connection } from '../../accounts/entities/connection.ts';
import { newId } from '../../shared/ids.ts';
import { formatNaira } from '../../shared/money.ts';
import type { Tx } from '../../shared/tx.ts';
import { DAY_MS } from '../../shared/units.ts';
import { PaymentLink } from '../entities/payment-link.ts';
import type { PaymentLinkRow } from './row.ts';

/** Undefined: no connection could take its money now. */
export async function createPaymentLink(
  tx: Tx,
  actor: Actor,
  link: {
    amountKobo: number;
    description: string;
    customerName: string | null;
    customerPhone: string | null;
    provider: PaymentLinkRow['provider_wanted'];
    expiresInDays: number;
  },
): Promise<PaymentLinkRow | undefined> {
  const { em, now } = tx;
  const { tenantId, mode } = actor;
  const slot = link.provider === 'auto' ? {} : { slot: link.provider };
  const usable = { tenant_id: tenantId, mode, disabled_at: null, ...slot };
  if ((await em.count(Connection, usable)) === 0) return undefined;
  const row = em.create(PaymentLink, {
    id: newId('lnk', now),
    tenant_id: tenantId,
    mode,
    amount_kobo: link.amountKobo,
    description: link.description,
    customer_name: link.customerName,
    customer_phone: link.customerPhone,
    provider_wanted: link.provider,
    status: 'active',
    transaction_id: null,
    created_by: actor.memberId ?? actor.subjectId,
    created_at: now,
    expires_at: new Date(now.getTime() + link.expiresInDays * DAY_MS),
  });
  const summary = `A payment link of ${formatNaira(link.amountKobo)}.`;
  await recordChange(tx, actor, 'payment_link.created', row.id, summary);
  return row;
}
