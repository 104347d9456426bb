import type { Notification } from '../../providers/provider.ts';
import type { RowOf } from '../../shared/columns.ts';
import type { Sql } from '../../shared/sql.ts';
import type { AttemptRow } from '../attempt/row.ts';
import type { Notification as StoredNotification } from '../entities/notification.ts';

/** What a notification may be about, each with a question of its own. */
type About = Exclude<Notification['about'], 'settlement'>;

/**
 * Notifications have one thing asked about an attempt at most once in this long, however many there
 * are: as long as the first wait after a question in vain, so that no retry waits for it.
 */
const ONE_QUESTION_MS = 2_000;

/**
 * A notification arrives by one process's clock and a question is put by another's. Only a question
 * this much later was surely put after the arrival.
 */
const CLOCK_SLACK_MS = 1_000;

const PAYMENT = { notified: 'notified_at', verified: 'verified_at' } as const;
const REFUNDS = { notified: 'refunds_notified_at', verified: 'refunds_verified_at' } as const;
const DISPUTES = { notified: 'disputes_notified_at', verified: 'disputes_verified_at' } as const;

/** Where an attempt's row keeps when it was last asked, and when it was asked what was answered. */
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
 * An attempt a notification names; `answered`: a question put after the notification arrived told
 * all it could.
 */
export interface NamedAttempt extends Pick<AttemptRow, 'id' | 'reference' | 'connection_id'> {
  answered: boolean;
}

/**
 * The attempts of the notification's own connection that it names, by our references or by the
 * provider's own ids of payments we hold: at most `limit`, those not answered since `arrivedAt`
 * first.
 */
export function findNamed(
  sql: Sql,
  named: Named,
  arrivedAt: Date,
  limit: number,
): Promise<NamedAttempt[]> {
  const { notified, verified } = columns[named.about];
  return sql.query<NamedAttempt>(
    `select id, reference, connection_id, coalesce(${verified} > $4, false) as answered
     from attempts where connection_id = $1 and (reference = any($2)
       or id = any(array(select attempt_id from captures where connection_id = $1
         and provider_payment_id = any($3))))
     order by answered, ${notified} nulls first, id limit $5`,
    [
      named.connection_id,
      named.payment_references,
      named.payment_ids,
      new Date(arrivedAt.getTime() + CLOCK_SLACK_MS),
      limit,
    ],
  );
}

/**
 * Takes the one turn there is in `ONE_QUESTION_MS` to ask about an attempt on a notification's
 * word; of all who want it at once one gets it. Who does not looks again later: by then the
 * question of the one who did may be the answer.
 */
export async function takeTurn(
  sql: Sql,
  attemptId: string,
  about: About,
  now: Date,
): Promise<boolean> {
  const { notified } = columns[about];
  const rows = await sql.query(
    `update attempts set ${notified} = $2
     where id = $1 and (${notified} is null or ${notified} <= $3) returning id`,
    [attemptId, now, new Date(now.getTime() - ONE_QUESTION_MS)],
  );
  return rows.length > 0;
}

/**
 * Writes that a question about an attempt's refunds or disputes, put at `askedAt`, was answered and
 * the answer recorded.
 */
export async function noteAnswer(
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
