import type { Notification } from '../../providers/port/provider.ts';
import type { Sql } from '../../shared/sql.ts';
import type { AttemptRow } from '../attempt/row.ts';

/** Each is verified by a call of its own. */
export type About = Exclude<Notification['about'], 'settlement'>;

/**
 * Notifications cause one verification of an attempt in this time, as long as the first retry wait.
 */
const ONE_VERIFICATION_MS = 2_000;

/** Clocks of two processes may be two seconds apart. */
const CLOCK_SLACK_MS = 3_000;

const PAYMENT = { notified: 'notified_at', verified: 'verified_at' } as const;
const REFUNDS = { notified: 'refunds_notified_at', verified: 'refunds_verified_at' } as const;
const DISPUTES = { notified: 'disputes_notified_at', verified: 'disputes_verified_at' } as const;

const columns = {
  payment: PAYMENT,
  other: PAYMENT,
  refund: REFUNDS,
  dispute: DISPUTES,
} as const satisfies Record<About, object>;

/** `answered`: by a verification that began after the notification arrived. */
export interface NamedAttempt
  extends Pick<AttemptRow, 'id' | 'charge_id' | 'reference' | 'connection_id'> {
  answered: boolean;
  claimed: boolean;
}

/** A notification may name thousands; the lease is short. */
export const MAX_PER_CLAIM = 20;

const ofAbout = (column: 'notified' | 'verified', of = '') => `case claimed.about
  when 'refund' then ${of}${REFUNDS[column]} when 'dispute' then ${of}${DISPUTES[column]}
  else ${of}${PAYMENT[column]} end`;

const claims = (about: string, column: string) => `
  ${column} = case when ${about} then $3::timestamptz else a.${column} end`;

/**
 * Parts of a claim of notifications at `$3`. `named`: attempts they name by our references or
 * recorded payment ids, unanswered first, one more than `MAX_PER_CLAIM` at most. `verification`:
 * claims that of the first, unless somebody else has it locked: that is left to
 * `claimVerification`.
 */
export const NAMED_ATTEMPTS = `
named as materialized (
  select claimed.id as notification_id, claimed.about, a.*
  from claimed cross join lateral (
    select id, charge_id, reference, connection_id, answered, notified_at,
      row_number() over (order by answered, notified_at nulls first, id) as position
    from (
      select id, charge_id, reference, connection_id, ${ofAbout('notified')} as notified_at,
        coalesce(${ofAbout('verified')} > coalesce(claimed.arrived_at, claimed.created_at)
          + interval '${CLOCK_SLACK_MS} milliseconds', false) as answered
      from attempts
      where connection_id = claimed.connection_id and (
        reference = any(claimed.payment_references) or id = any(array(
          select attempt_id from captures where connection_id = claimed.connection_id
            and provider_payment_id = any(claimed.payment_ids))))) one
    order by position limit ${MAX_PER_CLAIM + 1}) a
  where claimed.about <> 'settlement'
), first as materialized (
  select a.id from attempts a join named claimed on claimed.id = a.id
  where position = 1 and not answered
    and coalesce(${ofAbout('notified', 'a.')}, '-infinity')
      <= $3::timestamptz - interval '${ONE_VERIFICATION_MS} milliseconds'
  order by a.id for update of a skip locked
), verification as (
  update attempts a set ${[
    claims("named.about in ('payment', 'other')", PAYMENT.notified),
    claims("named.about = 'refund'", REFUNDS.notified),
    claims("named.about = 'dispute'", DISPUTES.notified),
  ].join(',')}
  from named
  where a.id = named.id and named.position = 1 and a.id = any(array(select id from first))
  returning named.notification_id
)`;

/** SQL: `NamedAttempt`s. */
export const namedBy = (notificationId: string) => `coalesce((
  select json_agg(json_build_object('id', named.id, 'charge_id', charge_id, 'reference', reference,
    'connection_id', named.connection_id, 'answered', answered, 'claimed', position = 1
      and notification_id in (select notification_id from verification)) order by position)
  from named where notification_id = ${notificationId}), '[]')`;

/** False where another notification claimed it: by the next try its answer may serve both. */
export async function claimVerification(sql: Sql, attemptId: string, about: About, now: Date) {
  const { notified } = columns[about];
  const rows = await sql.query(
    `update attempts set ${notified} = $2
     where id = $1 and (${notified} is null or ${notified} <= $3) returning id`,
    [attemptId, now, new Date(now.getTime() - ONE_VERIFICATION_MS)],
  );
  return rows.length > 0;
}

/** `askedAt`: when the verification began. */
export async function recordAnswer(
  sql: Sql,
  attemptId: string,
  about: 'refund' | 'dispute',
  askedAt: Date,
): Promise<void> {
  const { verified } = columns[about];
  await sql.query(`update attempts set ${verified} = greatest(${verified}, $2) where id = $1`, [
    attemptId,
    askedAt,
  ]);
}
