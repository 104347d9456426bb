import type { Tx } from '../../shared/tx.ts';
import { wantingEndpoints } from '../../webhooks/event/publish.ts';
import { isOpenRow } from '../charge/ending.ts';
import { sentLiveAttemptStatuses } from './transitions.ts';

const ENDS_AT = 'least(c.expires_at, c.cancel_requested_at)';

const SENT = sentLiveAttemptStatuses.map((status) => `'${status}'`).join(', ');

const UNANSWERED = `exists (
  select 1 from attempts a where a.charge_id = c.id and a.status in (${SENT})
    and (a.verified_at is null or a.verified_at < ${ENDS_AT}))`;

export interface AnsweredEnd {
  cancelled: boolean;
  /** Endpoints that want to know that it failed. */
  endpointIds: string[];
}

/** By charge. Absent: its end has not come, or a provider has not answered since. */
export async function findAnsweredEnds(
  { sql, now }: Tx,
  chargeIds: readonly string[],
): Promise<Map<string, AnsweredEnd>> {
  const ends = await sql.query<AnsweredEnd & { id: string }>(
    `select c.id, coalesce(c.cancel_requested_at < c.expires_at, false) as cancelled,
       array(${wantingEndpoints('c.tenant_id', 'c.mode', '$3')}) as "endpointIds"
     from charges c
     where c.id = any($1) and ${isOpenRow('c')} and ${ENDS_AT} <= $2
       and not ${UNANSWERED}`,
    [chargeIds, now, 'charge.failed'],
  );
  return new Map(ends.map(({ id, ...end }) => [id, end]));
}

export type EndColumn = 'expires_at' | 'cancel_requested_at';

export interface EndPosition {
  at: string;
  id: string;
}

export const FIRST_END: EndPosition = { at: '-infinity', id: '' };

/**
 * Finds those to expire among the next `limit` charges past their end. The others wait for a
 * provider or a person; a walk looks at each once, so that they delay no other.
 */
export async function endedCharges(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  column: EndColumn,
  { at, id }: EndPosition,
  limit: number,
) {
  const [page] = await sql.query<{ ids: string[]; looked_at: number; at: string; id: string }>(
    `with ended as materialized (
       select id, status, review, expires_at, cancel_requested_at from charges
       where ${isOpenRow('charges')} and ${column} <= $1
         and (${column}, id) > ($2::timestamptz, $3)
       order by ${column}, id limit $4
     ), last as (
       select ${column}::text as at, id from ended order by ${column} desc, id desc limit 1
     )
     select (select count(*) from ended)::int as looked_at,
       array(select id from ended c where not ('underpaid' = any(review)) and not ${UNANSWERED}
         order by id) as ids,
       coalesce((select at from last), $2::timestamptz::text) as at,
       coalesce((select id from last), $3) as id`,
    [now, at, id, limit],
  );
  const { ids, looked_at: lookedAt, ...next } = page!;
  return { ids, next, isFull: lookedAt >= limit };
}
