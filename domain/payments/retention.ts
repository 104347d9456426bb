import type { Partitioned } from '../shared/partitions.ts';
import type { Retention } from '../shared/retention.ts';

/**
 * Not partitioned: a body must stay unique over the whole time, midnight included. The primary key
 * finds the oldest, so that deleting them needs no index of its own.
 */
export const paymentsRetention: readonly Retention[] = [
  { table: 'notifications', column: 'id', prefix: 'ntf', days: 30 },
];

/** What belongs to a charge is in the partition of the charge's time. */
export const paymentsPartitioned: readonly Partitioned[] = [
  {
    table: 'evidence',
    column: 'charge_id',
    prefix: 'txn',
    periodDays: 30,
    keptDays: 400,
  },
  {
    table: 'timeline_entries',
    column: 'charge_id',
    prefix: 'txn',
    periodDays: 30,
    keptDays: null,
  },
];
