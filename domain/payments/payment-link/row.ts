import type { RowOf } from '../../shared/columns.ts';
import { CURRENCY } from '../../shared/money.ts';
import type { PaymentLink } from '../entities/payment-link.ts';
import { linkStatusAt } from './transitions.ts';

export type PaymentLinkRow = RowOf<typeof PaymentLink>;

/** `publicUrl` has no trailing slash. */
export function linkUrlOf(linkId: string, publicUrl: string): string {
  return `${publicUrl}/l/${linkId}`;
}

export function paymentLinkView(link: PaymentLinkRow, publicUrl: string, now: Date) {
  const { customer_name: name, customer_email: email, customer_phone: phone } = link;
  const isKnown = name !== null || email !== null || phone !== null;
  return {
    object: 'payment_link' as const,
    id: link.id,
    url: linkUrlOf(link.id, publicUrl),
    amount_kobo: link.amount_kobo,
    currency: CURRENCY,
    description: link.description,
    customer: isKnown ? { name, email, phone } : null,
    provider: link.provider_wanted,
    status: linkStatusAt(link, now),
    expires_at: link.expires_at.toISOString(),
    transaction_id: link.transaction_id,
    created_at: link.created_at.toISOString(),
    mode: link.mode,
  };
}
