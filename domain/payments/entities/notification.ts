import { ofQueue, p, table } from '../../shared/columns.ts';
import { ofPayer, ROW_DELETED } from '../../shared/payer-data.ts';

export const Notification = table('notifications', {
  id: p.ascii().primary(),
  connection_id: p.ascii(),
  body_sha256: p.text(),
  body: ofPayer(p.text(), ROW_DELETED),
  event: p.text(),
  about: p.enum(['payment', 'refund', 'dispute', 'settlement', 'other']),
  payment_references: p.array(),
  payment_ids: p.array(),
  status: p.enum(['received', 'processed', 'ignored']),
  ...ofQueue,
  created_at: p.timestamp(),
  arrived_at: p.timestamp().strictNullable(),
  processed_at: p.timestamp().strictNullable(),
});
