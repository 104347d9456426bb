import { BEYOND_EVERY_ID } from '../../journal/running-totals.ts';
import { type Sql, statement } from '../../shared/sql.ts';
import type { SettlementAccount } from '../account/account.ts';
import type { DiscrepancyStatus } from '../discrepancy/transitions.ts';

/** Where a check has come to: the part of the sources that it reads, and the last one it read. */
export interface BooksPosition {
  part: (typeof parts)[number];
  after: string;
}

/** In their order. */
export const parts = ['known', 'payments', 'settlements', 'strays', 'snapshots'] as const;

export interface Sources {
  sources: string[];
  /** Null: there is no more of this part. */
  last: string | null;
}

/** The next few sources of a connection: one statement about them takes some milliseconds. */
export async function nextSources(
  sql: Sql,
  { id: connectionId }: SettlementAccount,
  { part, after }: BooksPosition,
): Promise<Sources> {
  const [found] = await readers[part](sql, { connectionId, after });
  return found!;
}

const MOST = 500;

const RESULT = `select coalesce(array_agg(source) filter (where source is not null), '{}') as sources,
  max(position) as last`;

const known = (status: DiscrepancyStatus) => `
  select subject from discrepancies
  where connection_id = :connectionId and kind = 'books' and status = '${status}'
    and subject > :after order by subject limit ${MOST}`;

const readers = {
  /** Found to differ before. */
  known: statement<Sources>(`
    ${RESULT} from (
      select subject as source, subject as position
      from ((${known('open')}) union (${known('closed')})) known order by subject limit ${MOST}) next`),
  /** With what went back of them. */
  payments: statement<Sources>(`
    with next as materialized (
      select id, provider_payment_id as position from captures
      where connection_id = :connectionId and provider_payment_id > :after
      order by provider_payment_id limit ${MOST})
    ${RESULT} from (
      select id as source, position from next
      union all select r.id, position from next join refunds r on r.capture_id = next.id
      union all select d.id, position from next join disputes d on d.capture_id = next.id) found`),
  settlements: statement<Sources>(`
    ${RESULT} from (
      select id as source, provider_settlement_id as position from settlements
      where connection_id = :connectionId and provider_settlement_id > :after
      order by provider_settlement_id limit ${MOST}) next`),
  /**
   * Postings of none of these, each by its first one. In the order of an index that begins with the
   * connection: by ids alone, one with few postings would read those of all the others.
   */
  strays: statement<Sources>(`
    with next as materialized (
      select id, source from postings
      where (connection_id, id) > (:connectionId, :after)
        and (connection_id, id) < (:connectionId, '${BEYOND_EVERY_ID}')
      order by connection_id, id limit ${4 * MOST})
    ${RESULT} from (
      select id as position, case when coalesce(
          (select id from captures k where k.id = next.source and connection_id = :connectionId),
          (select id from refunds r where r.id = next.source and connection_id = :connectionId
            and capture_id is not null),
          (select id from disputes d where d.id = next.source and connection_id = :connectionId),
          (select id from settlements s where s.id = next.source and connection_id = :connectionId
            and provider_settlement_id is not null),
          (select id from postings p where p.source = next.source and p.id < next.id
            and connection_id = :connectionId limit 1)) is null then source end as source
      from next) found`),
  /** One adds up some two thousand postings. */
  snapshots: statement<Sources>(`
    ${RESULT} from (
      select distinct before_id as source, before_id as position from balance_snapshots
      where connection_id = :connectionId and before_id > :after order by 1 limit 1) next`),
} satisfies Record<BooksPosition['part'], unknown>;
