import { ofQueue, p, table } from '../../shared/columns.ts';

export const attemptStatuses = [
  'queued',
  'sending',
  'unconfirmed',
  'open',
  'captured',
  'declined',
  'expired',
  'refused',
  'lost',
  'cancelled',
] as const;

export const Attempt = table('attempts', {
  id: p.ascii().primary(),
  charge_id: p.ascii(),
  connection_id: p.ascii(),
  slot: p.slot(),
  /** `SV-<n>-<8 random base36>`; of an imported payment, whatever it was paid under. */
  reference: p.ascii(),
  status: p.enum(attemptStatuses),
  url: p.text().strictNullable(),
  link_expires_at: p.timestamp().strictNullable(),
  sent_at: p.timestamp().strictNullable(),
  accepted_at: p.timestamp().strictNullable(),
  /** When the question was asked that the provider last answered. */
  verified_at: p.timestamp().strictNullable(),
  asked_at: p.timestamp().strictNullable(),
  /** The next five bound the provider calls that notifications cause. */
  notified_at: p.timestamp().strictNullable(),
  refunds_notified_at: p.timestamp().strictNullable(),
  refunds_verified_at: p.timestamp().strictNullable(),
  disputes_notified_at: p.timestamp().strictNullable(),
  disputes_verified_at: p.timestamp().strictNullable(),
  ...ofQueue,
  created_at: p.timestamp(),
});
