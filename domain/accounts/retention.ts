import type { Partitioned } from '../shared/partitions.ts';
import type { Retention } from '../shared/retention.ts';

export const accountsRetention: readonly Retention[] = [
  { table: 'idempotency_keys', column: 'created_at', days: 7 },
  { table: 'user_tokens', column: 'expires_at', days: 0 },
  { table: 'token_families', column: 'expires_at', days: 0 },
  // Until it is deleted, its page says that the link has expired.
  { table: 'member_links', column: 'expires_at', days: 7 },
];

export const accountsPartitioned: readonly Partitioned[] = [
  { table: 'request_log', column: 'id', prefix: 'req', periodDays: 7, keptDays: 7 },
];
