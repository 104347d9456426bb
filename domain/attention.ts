import type { Sql } from './shared/sql.ts';

const waiting = {
  /** Payments that do not fit their charge. */
  reviews: `reviews where status = 'open'`,
  /** Refunds of which the provider does not say, or did not do, what was asked. */
  refunds: 'refunds where attention is not null',
  discrepancies: `discrepancies where status = 'open'`,
  /** Of these, those that only a fault of this service explains. */
  books: `discrepancies where status = 'open' and kind = 'books'`,
  disputes: `disputes where status = 'open'`,
  disabled_endpoints: `webhook_endpoints where status = 'disabled' and deleted_at is null`,
  refused_connections:
    'connections where credentials_refused_at is not null and disabled_at is null',
  /** Their payments of the past wait to be compared with payouts. */
  unfinished_imports: 'connections where importing_since is not null',
} as const;

export type Attention = Record<keyof typeof waiting, number>;

const COUNTS = Object.entries(waiting).map(
  ([name, rows]) => `(select count(*)::int from (select from ${rows} limit $1) counted) as ${name}`,
);

export async function countAttention(sql: Sql, most: number): Promise<Attention> {
  const [row] = await sql.query<Attention>(`select ${COUNTS.join(', ')}`, [most]);
  return row!;
}
