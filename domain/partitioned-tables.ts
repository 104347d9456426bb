import { accountsPartitioned } from './accounts/retention.ts';
import { journalPartitioned } from './journal/retention.ts';
import { paymentsPartitioned } from './payments/retention.ts';
import type { Partitioned } from './shared/partitions.ts';
import { webhooksPartitioned } from './webhooks/retention.ts';

export const partitionedTables: readonly Partitioned[] = [
  ...accountsPartitioned,
  ...journalPartitioned,
  ...paymentsPartitioned,
  ...webhooksPartitioned,
];

/** Rows find their partition also when no housekeeping runs for some weeks. */
export const PARTITION_DAYS_AHEAD = 28;
