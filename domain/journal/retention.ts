import type { Partitioned } from '../shared/partitions.ts';

export const journalPartitioned: readonly Partitioned[] = [
  { table: 'postings', column: 'id', prefix: 'btx', periodDays: 30, keptDays: null },
];
