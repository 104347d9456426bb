import type { Sql } from '../../domain/shared/sql.ts';
import type { ProviderName } from './records.ts';

export interface Counts {
  creates: number;
  distinct_references: number;
  resent_after_accept: number;
  verifies: number;
  captures: number;
  refunds: number;
  notifications: number;
}

/** Marks a create as resent: its reference was accepted between its arrival and its turn. */
export async function markResent(sql: Sql, arrivalId: number): Promise<void> {
  await sql.query('update sandbox.arrival set resent = true where id = $1', [arrivalId]);
}

/** Everything a provider was asked, counted from rows, so that a restart loses nothing. */
export async function countAll(sql: Sql, provider: ProviderName): Promise<Counts> {
  const [counts] = await sql.query<Counts>(
    `with mine as (select id from sandbox.account where provider = $1),
     arrived as (
       select count(*) filter (where kind = 'create') as creates,
              count(distinct (account_id, reference)) filter (where kind = 'create'
                and reference is not null) as distinct_references,
              count(*) filter (where resent) as resent_after_accept,
              count(*) filter (where kind = 'verify') as verifies
         from sandbox.arrival where provider = $1)
     select arrived.*,
            (select count(*) from sandbox.payment join mine on mine.id = account_id
              where paid_at is not null) as captures,
            (select count(*) from sandbox.refund join mine on mine.id = account_id) as refunds,
            (select coalesce(sum(tries), 0)::bigint from sandbox.notification
              join mine on mine.id = account_id) as notifications
       from arrived`,
    [provider],
  );
  return counts!;
}
