import { newId } from '../../shared/ids.ts';
import { CURRENCY } from '../../shared/money.ts';
import type { Tx } from '../../shared/tx.ts';
import { type CreatedCharge, createCharge } from '../charge/create.ts';
import { blankCharge } from '../charge/row.ts';
import type { PaymentLinkRow } from './row.ts';

export interface Payer {
  email: string;
  /** Null: not stated, or the link has it. */
  name: string | null;
  /** E.164. Null: not stated, or the link has it. */
  phone: string | null;
}

/** Writes nothing when the link has an open charge or is not active. */
export async function openCharge(
  tx: Tx,
  link: PaymentLinkRow,
  payer: Payer,
  lifetimeMs: number,
): Promise<CreatedCharge & { id: string }> {
  const { now } = tx;
  const id = newId('txn', now);
  const charge = {
    ...blankCharge,
    id,
    mode: link.mode,
    amount_kobo: link.amount_kobo,
    currency: CURRENCY,
    email: payer.email,
    name: link.customer_name ?? payer.name,
    phone: link.customer_phone ?? payer.phone,
    description: link.description,
    metadata: {},
    provider_wanted: link.provider_wanted,
    expires_at: new Date(now.getTime() + lifetimeMs),
  };
  const request = { asker: { paymentLinkId: link.id }, charge, answerTemplate: '', now };
  return { id, ...(await createCharge(tx, request)) };
}
