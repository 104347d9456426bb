import { ofTenant, p, table } from '../../shared/columns.ts';
import { ofPayer } from '../../shared/payer-data.ts';
import type { Slot } from '../../shared/slot.ts';

export const linkStatuses = ['active', 'paid', 'expired', 'disabled'] as const;

export const PaymentLink = table('payment_links', {
  id: p.ascii().primary(),
  ...ofTenant,
  amount_kobo: p.kobo(),
  description: ofPayer(p.text(), 'Erased'),
  customer_name: ofPayer(p.text().strictNullable()),
  customer_email: ofPayer(p.text().strictNullable()),
  customer_phone: ofPayer(p.text().strictNullable()),
  provider_wanted: p.text().$type<'auto' | Slot>(),
  status: p.enum(linkStatuses),
  transaction_id: p.ascii().strictNullable(),
  created_by: p.text(),
  created_at: p.timestamp(),
  expires_at: p.timestamp(),
});
