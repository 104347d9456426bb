import { ofQueue, ofTenant, p, table } from '../../shared/columns.ts';
import { ofPayer } from '../../shared/payer-data.ts';

export const deliveryStatuses = ['pending', 'delivered', 'exhausted', 'cancelled'] as const;

export const Delivery = table('deliveries', {
  id: p.ascii().primary(),
  /** Null: a test delivery. */
  event_id: p.ascii().strictNullable(),
  endpoint_id: p.ascii(),
  ...ofTenant,
  status: p.enum(deliveryStatuses),
  resend_of: p.ascii().strictNullable(),
  ...ofQueue,
  finished_at: p.timestamp().strictNullable(),
  created_at: p.timestamp(),
});

export const DeliveryTry = table('delivery_tries', {
  delivery_id: p.ascii().primary(),
  endpoint_id: p.ascii().strictNullable(),
  try: p.integer().primary(),
  at: p.timestamp(),
  duration_ms: p.integer(),
  /** Null from the second try on, for tests and resends. */
  since_event_ms: p.integer().strictNullable(),
  status_code: p.smallint().strictNullable(),
  error: p.text().strictNullable(),
  /** The first 2 kB. */
  answer: ofPayer(p.text().strictNullable()),
});
