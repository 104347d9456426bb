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
  /** What the payer paid on top, where they bore the fee. */
  payer_fee_kobo: p.kobo(),
  fee_kobo: p.kobo().strictNullable(),
  currency: p.text(),
  channel: p.text().$type<Channel>(),
  captured_at: p.timestamp(),
  recorded_at: p.timestamp(),
  /** The day its provider pays it out; null until that is computed. */
  settles_on: p.date().strictNullable(),
  /** The settlement that holds it. */
  settlement_id: p.ascii().strictNullable(),
  /** When the payment audit saw it at the provider. */
  listed_at: p.timestamp().strictNullable(),
  /**
   * When its amount or fee changed after it was recorded; null once the totals of its settlement
   * are due to be computed again.
   */
  changed_at: p.timestamp().strictNullable(),
});
