import type { Tx } from '../../shared/tx.ts';
import { sentLiveAttemptStatuses } from './transitions.ts';

/** When a charge ends: when it expires, or when the merchant asked to cancel it. */
const ENDS_AT = 'least(c.expires_at, c.cancel_requested_at)';

const SENT = sentLiveAttemptStatuses.map((status) => `'${status}'`).join(', ');

/** An attempt that may hold money, and whose provider has not answered since the charge's end. */
const UNANSWERED = `exists (
  select 1 from attempts a where a.charge_id = c.id and a.status in (${SENT})
    and (a.verified_at is null or a.verified_at < ${ENDS_AT}))`;

/**
 * How a charge ends whose providers have all answered since its end. Undefined: its end has not
 * come, or a provider has not answered since.
 */
export async function findAnsweredEnd(
  { sql, now }: Tx,
  chargeId: string,
): Promise<{ cancelled: boolean } | undefined> {
  const [end] = await sql.query<{ cancelled: boolean }>(
    `select coalesce(c.cancel_requested_at < c.expires_at, false) as cancelled from charges c
     where c.id = $1 and c.status in ('initiated', 'pending') and ${ENDS_AT} <= $2
       and not ${UNANSWERED}`,
    [chargeId, now],
  );
  return end;
}

/** The times at which a charge ends. Each has an index of the unpaid charges. */
export type EndColumn = 'expires_at' | 'cancel_requested_at';

/** How far a walk through the ended charges came. */
export interface EndPosition {
  /** The end of the last charge that was looked at, as PostgreSQL writes it. */
  at: string;
  id: string;
}

export const FIRST_END: EndPosition = { at: '-infinity', id: '' };

/** A part of a walk through the ended charges. */
export interface EndedPage {
  /** Those that can expire: every provider has answered since their end. */
  ids: string[];
  next: EndPosition;
  /** True: more may follow. */
  isFull: boolean;
}

/**
 * Looks at the next `limit` charges past their end, in the order of their ends, and finds those to
 * expire. The others wait for an answer of their provider, which expires them itself, or for a
 * person: a walk looks at each of them once, so that many that wait delay no other.
 */
export async function endedCharges(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  column: EndColumn,
  { at, id }: EndPosition,
  limit: number,
): Promise<EndedPage> {
  const [page] = await sql.query<{ ids: string[]; looked_at: number; at: string; id: string }>(
    `with ended as materialized (
       select id, status, review, expires_at, cancel_requested_at from charges
       where status in ('initiated', 'pending') and ${column} <= $1
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
