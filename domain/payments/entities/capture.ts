import type { Channel } from '../../providers/port/payment.ts';
import { p, table } from '../../shared/columns.ts';

export const captureStatuses = ['on_hold', 'applied', 'duplicate'] as const;

export const Capture = table('captures', {
  id: p.ascii().primary(),
  charge_id: p.ascii(),
  attempt_id: p.ascii(),
  connection_id: p.ascii(),
  provider_payment_id: p.text(),
  status: p.enum(captureStatuses),
  amount_kobo: p.kobo(),
  payer_fee_kobo: p.kobo(),
  fee_kobo: p.kobo().strictNullable(),
  /** What the charge did not ask for, and a person accepted. */
  kept_kobo: p.kobo(),
  currency: p.text(),
  channel: p.text().$type<Channel>(),
  captured_at: p.timestamp(),
  recorded_at: p.timestamp(),
  settles_on: p.date().strictNullable(),
  settlement_id: p.ascii().strictNullable(),
  listed_at: p.timestamp().strictNullable(),
  /** When its amount or fee changed; null once its settlement's totals are due again. */
  changed_at: p.timestamp().strictNullable(),
});
