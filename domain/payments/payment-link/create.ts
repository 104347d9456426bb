import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { Connection } from '../../accounts/entities/connection.ts';
import { Tenant } from '../../accounts/entities/tenant.ts';
import { writeMail } from '../../mail/write-mail.ts';
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
    customerEmail: string | null;
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
    customer_email: link.customerEmail,
    customer_phone: link.customerPhone,
    provider_wanted: link.provider,
    status: 'active',
    transaction_id: null,
    created_by: actor.memberId ?? actor.subjectId,
    created_at: now,
    expires_at: new Date(now.getTime() + link.expiresInDays * DAY_MS),
  });
  await mailLink(tx, row);
  const summary = `A payment link of ${formatNaira(link.amountKobo)}.`;
  await recordChange(tx, actor, 'payment_link.created', row.id, summary);
  return row;
}

/** Three days later; of a link that ends sooner, a day before it ends or half way. */
const reminderMs = (lifeMs: number) => Math.min(3 * DAY_MS, Math.max(lifeMs - DAY_MS, lifeMs / 2));

/** To its customer, and a reminder, in live mode and where the business asks for it. */
async function mailLink(tx: Tx, link: PaymentLinkRow): Promise<void> {
  const { id: subjectId, tenant_id: tenantId, mode, customer_email, created_at } = link;
  if (!tx.sendsMail || mode !== 'live' || customer_email === null) return;
  if ((await tx.em.count(Tenant, { id: tenantId, sends_payment_links: true })) === 0) return;
  const to = { tenantId, mode, memberId: null, subjectId, expiresAt: link.expires_at };
  await writeMail(tx, { ...to, kind: 'payment_link' });
  const afterMs = reminderMs(link.expires_at.getTime() - created_at.getTime());
  const dueAt = new Date(created_at.getTime() + afterMs);
  await writeMail(tx, { ...to, kind: 'payment_link_reminder', dueAt });
}
