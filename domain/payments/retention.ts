import type { Partitioned } from '../shared/partitions.ts';
import type { Retention } from '../shared/retention.ts';

/**
 * Not partitioned: a body must stay unique over the whole time, midnight included. The primary key
 * finds the oldest, so that deleting them needs no index of its own.
 */
export const paymentsRetention: readonly Retention[] = [
  { table: 'notifications', column: 'id', prefix: 'ntf', days: 30 },
  {
    table: 'dispute_responses',
    column: 'id',
    prefix: 'dre',
    days: 400,
    where: `(select 1 from disputes d where d.id = dispute_responses.dispute_id
      and d.status = 'open') is null`,
  },
  {
    table: 'listed_refunds',
    column: 'listed_at',
    days: 180,
    // What the account did for another business, or our records show. Any other refund must be
    // found before its payment is refunded once more, however long ago it was. Scalar subqueries:
    // `exists` may be hashed, which reads the whole table.
    where: `((select 1 from captures k where k.connection_id = listed_refunds.connection_id
        and k.provider_payment_id = listed_refunds.provider_payment_id) is null
      or (select 1 from refunds r where r.connection_id = listed_refunds.connection_id
        and r.provider_refund_id = listed_refunds.provider_refund_id) is not null)`,
  },
];

export const EVIDENCE_DAYS = 400;

/** What belongs to a charge is in the partition of the charge's time. */
export const paymentsPartitioned: readonly Partitioned[] = [
  {
    table: 'evidence',
    column: 'charge_id',
    prefix: 'txn',
    periodDays: 30,
    keptDays: EVIDENCE_DAYS,
  },
  {
    table: 'timeline_entries',
    column: 'charge_id',
    prefix: 'txn',
    periodDays: 30,
    keptDays: null,
  },
];
