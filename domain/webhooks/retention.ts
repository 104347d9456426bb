import type { Retention } from '../shared/retention.ts';
import { DELIVERIES_KEPT_DAYS } from './delivery/delivery.ts';

export const webhooksRetention: readonly Retention[] = [
  { table: 'delivery_tries', column: 'at', days: 30 },
  {
    table: 'deliveries',
    column: 'created_at',
    days: DELIVERIES_KEPT_DAYS,
    where: "status <> 'pending'",
  },
  {
    table: 'webhook_endpoints',
    column: 'deleted_at',
    days: DELIVERIES_KEPT_DAYS,
    where: 'not exists (select from deliveries where endpoint_id = webhook_endpoints.id)',
  },
];
