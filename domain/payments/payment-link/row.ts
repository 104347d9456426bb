import { CURRENCY } from '../../shared/money.ts';
import type { Mode } from '../../shared/reader.ts';
import type { Slot } from '../../shared/slot.ts';
import { type LinkStatus, linkStatusAt } from './transitions.ts';

/** A payment link as its row holds it. */
export interface PaymentLinkRow {
  id: string;
  tenant_id: string;
  mode: Mode;
  amount_kobo: number;
  description: string;
  customer_name: string | null;
  customer_phone: string | null;
  provider_wanted: 'auto' | Slot;
  status: LinkStatus;
  /** The charge that paid it. */
  transaction_id: string | null;
  /** The member or key that made it. */
  created_by: string;
  created_at: Date;
  expires_at: Date;
}

/** The page a payer opens. `publicUrl` has no trailing slash. */
export function linkUrlOf(linkId: string, publicUrl: string): string {
  return `${publicUrl}/l/${linkId}`;
}

/** The payment link object of the contract, as it is at `now`. */
export function paymentLinkView(link: PaymentLinkRow, publicUrl: string, now: Date) {
  const { customer_name: name, customer_phone: phone } = link;
  return {
    object: 'payment_link' as const,
    id: link.id,
    url: linkUrlOf(link.id, publicUrl),
    amount_kobo: link.amount_kobo,
    currency: CURRENCY,
    description: link.description,
    customer: name === null && phone === null ? null : { name, phone },
    provider: link.provider_wanted,
    status: linkStatusAt(link, now),
    expires_at: link.expires_at.toISOString(),
    transaction_id: link.transaction_id,
    created_at: link.created_at.toISOString(),
    mode: link.mode,
  };
}
