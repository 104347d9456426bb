import type { Retention } from '../shared/retention.ts';

/** Not partitioned: a notice must stay unique while it waits. */
export const mailRetention: readonly Retention[] = [
  { table: 'mails', column: 'finished_at', days: 30 },
];
