import type { Retention } from '../shared/retention.ts';

export const paymentsRetention: readonly Retention[] = [
  { table: 'notifications', column: 'id', prefix: 'ntf', days: 30 },
  { table: 'evidence', column: 'created_at', days: 400 },
];
