import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { newId } from '../../shared/ids.ts';
import { formatNaira } from '../../shared/money.ts';
import type { Tx } from '../../shared/tx.ts';
import type { PaymentLinkRow } from './row.ts';

/** A payment link as it is asked for: validated and normalised. */
export interface NewPaymentLink {
  amountKobo: number;
  description: string;
  customerName: string | null;
  customerPhone: string | null;
  provider: string;
  expiresInDays: number;
}

const DAY_MS = 24 * 3_600_000;

/** Writes a payment link. Undefined, and nothing written: no connection of the mode and slot could take its money now. */
export async function createPaymentLink(
  tx: Tx,
  actor: Actor,
  link: NewPaymentLink,
): Promise<PaymentLinkRow | undefined> {
  const { sql, now } = tx;
  const [written] = await sql.query<PaymentLinkRow>(
    `insert into payment_links (id, tenant_id, mode, amount_kobo, description, customer_name, customer_phone, provider_wanted, status,
       created_by, created_at, expires_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, 'active', $9, $10, $11
     where exists (
       select from connections where tenant_id = $2 and mode = $3 and disabled_at is null and ($8 = 'auto' or slot = $8))
     returning *`,
    [
      newId('lnk', now),
      actor.tenantId,
      actor.mode,
      link.amountKobo,
      link.description,
      link.customerName,
      link.customerPhone,
      link.provider,
      actor.memberId ?? actor.subjectId,
      now,
      new Date(now.getTime() + link.expiresInDays * DAY_MS),
    ],
  );
  if (!written) return undefined;
  await recordChange(
    tx,
    actor,
    'payment_link.created',
    written.id,
    `A payment link of ${formatNaira(link.amountKobo)}.`,
  );
  return written;
}
