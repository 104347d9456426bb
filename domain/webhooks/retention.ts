import type { Partitioned } from '../shared/partitions.ts';
import type { Retention } from '../shared/retention.ts';
import { DELIVERIES_KEPT_DAYS } from './delivery/delivery.ts';

export const webhooksRetention: readonly Retention[] = [
  {
    table: 'webhook_endpoints',
    column: 'deleted_at',
    days: DELIVERIES_KEPT_DAYS,
    where: 'not exists (select from deliveries where endpoint_id = webhook_endpoints.id)',
  },
];

export const webhooksPartitioned: readonly Partitioned[] = [
  { table: 'events', column: 'id', prefix: 'evt', periodDays: 30, keptDays: null },
  // In the partition of its delivery's time: a claim looks for tries by their delivery.
  {
    table: 'delivery_tries',
    column: 'delivery_id',
    prefix: 'dlv',
    periodDays: 7,
    keptDays: 30,
  },
  {
    table: 'deliveries',
    column: 'id',
    prefix: 'dlv',
    periodDays: 30,
    keptDays: DELIVERIES_KEPT_DAYS,
    keptWhile: "status = 'pending'",
  },
];
