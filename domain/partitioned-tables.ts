import { accountsPartitioned } from './accounts/retention.ts';
import { paymentsPartitioned } from './payments/retention.ts';
import type { Partitioned } from './shared/partitions.ts';
import { webhooksPartitioned } from './webhooks/retention.ts';

/** Every table that grows with traffic and is read by age. */
export const partitionedTables: readonly Partitioned[] = [
  ...accountsPartitioned,
  ...paymentsPartitioned,
  ...webhooksPartitioned,
];

/**
 * Partitions are created this long ahead: rows find theirs also when no housekeeping runs for some
 * weeks.
 */
export const PARTITION_DAYS_AHEAD = 28;
