import type { Notification } from '../../providers/provider.ts';
import type { RowOf } from '../../shared/columns.ts';
import type { Sql } from '../../shared/sql.ts';
import type { AttemptRow } from '../attempt/row.ts';
import type { Notification as StoredNotification } from '../entities/notification.ts';

/** What a notification may be about. Each is verified by a call of its own. */
type About = Exclude<Notification['about'], 'settlement'>;

/**
 * However many notifications arrive, they cause at most one verification of an attempt in this
 * time. It is as long as the first retry wait, so that no retry is delayed by it.
 */
const ONE_VERIFICATION_MS = 2_000;

/**
 * A notification arrives by one process's clock and is verified by another's. Only a verification
 * that began this much later surely began after the arrival.
 */
const CLOCK_SLACK_MS = 1_000;

const PAYMENT = { notified: 'notified_at', verified: 'verified_at' } as const;
const REFUNDS = { notified: 'refunds_notified_at', verified: 'refunds_verified_at' } as const;
const DISPUTES = { notified: 'disputes_notified_at', verified: 'disputes_verified_at' } as const;

/**
 * The columns of an attempt with the time of the last verification that a notification caused, and
 * of the last one that was answered.
 */
const columns = {
  payment: PAYMENT,
  other: PAYMENT,
  refund: REFUNDS,
  dispute: DISPUTES,
} as const satisfies Record<About, object>;

/** What a notification is about, as its row holds it. */
export interface Named
  extends Pick<
    RowOf<typeof StoredNotification>,
    'connection_id' | 'payment_references' | 'payment_ids'
  > {
  about: About;
}

/**
 * An attempt that a notification names. `answered`: a verification that began after the
 * notification arrived was answered.
 */
export interface NamedAttempt extends Pick<AttemptRow, 'id' | 'reference' | 'connection_id'> {
  answered: boolean;
  /** True: its verification is claimed. */
  claimed: boolean;
}

/**
 * The attempts of the notification's own connection that it names, by our references or by the
 * provider's ids of recorded payments: at most `limit`, those not answered since `arrivedAt` first.
 * Claims the verification of the first of them, which begins at once.
 */
export function findNamedAttempts(
  sql: Sql,
  named: Named,
  arrivedAt: Date,
  { now, limit }: { now: Date; limit: number },
): Promise<NamedAttempt[]> {
  const { notified, verified } = columns[named.about];
  return sql.query<NamedAttempt>(
    `with named as materialized (
       select id, reference, connection_id, coalesce(${verified} > $4, false) as answered,
         row_number() over (order by coalesce(${verified} > $4, false), ${notified} nulls first, id)
           as position
       from attempts where connection_id = $1 and (reference = any($2)
         or id = any(array(select attempt_id from captures where connection_id = $1
           and provider_payment_id = any($3))))
       order by position limit $5
     ), claimed as (
       update attempts a set ${notified} = $6 from named
       where a.id = named.id and position = 1 and not answered
         and (a.${notified} is null or a.${notified} <= $7) returning a.id
     )
     select id, reference, connection_id, answered, id in (select id from claimed) as claimed
     from named order by position`,
    [
      named.connection_id,
      named.payment_references,
      named.payment_ids,
      new Date(arrivedAt.getTime() + CLOCK_SLACK_MS),
      limit,
      now,
      new Date(now.getTime() - ONE_VERIFICATION_MS),
    ],
  );
}

/**
 * Claims the one verification of an attempt that notifications may cause in `ONE_VERIFICATION_MS`.
 * False where another notification claimed it: by the next try its answer may serve both.
 */
export async function claimVerification(
  sql: Sql,
  attemptId: string,
  about: About,
  now: Date,
): Promise<boolean> {
  const { notified } = columns[about];
  const rows = await sql.query(
    `update attempts set ${notified} = $2
     where id = $1 and (${notified} is null or ${notified} <= $3) returning id`,
    [attemptId, now, new Date(now.getTime() - ONE_VERIFICATION_MS)],
  );
  return rows.length > 0;
}

/**
 * Records that a verification of an attempt's refunds or disputes, begun at `askedAt`, was answered
 * and its answer recorded.
 */
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
