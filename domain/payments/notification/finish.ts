import type { StoredConnection } from '../../accounts/connection/connection.ts';
import type { RowOf } from '../../shared/columns.ts';
import type { ClaimedRow } from '../../shared/due-rows.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { Notification } from '../entities/notification.ts';

/** A notification as its worker claims it. */
export type NotificationRow = ClaimedRow &
  Pick<
    RowOf<typeof Notification>,
    | 'connection_id'
    | 'about'
    | 'payment_references'
    | 'payment_ids'
    | 'body'
    | 'event'
    | 'created_at'
    | 'arrived_at'
  > & { connection: StoredConnection };

/** Reads claimed notifications with their connection. Part of the claim. */
export const SELECT_NOTIFICATIONS = `
select claimed.*, row_to_json(o) as connection
from claimed join connections o on o.id = claimed.connection_id`;

/** When the notification last arrived. */
export const arrivalOf = ({
  arrived_at: arrivedAt,
  created_at: createdAt,
}: Pick<NotificationRow, 'arrived_at' | 'created_at'>): Date => arrivedAt ?? createdAt;

type Ended = 'processed' | 'ignored';

/**
 * Ends a claimed notification. False where it arrived again meanwhile: what it is about may have
 * happened after the answer.
 */
export async function finishNotification(
  sql: Sql,
  notification: NotificationRow,
  status: Ended,
  now: Date,
): Promise<boolean> {
  const rows = await sql.query(FINISH, valuesOf(notification, status, now));
  return rows.length > 0;
}

/** The end of a notification that is written with what its answer says. */
export interface Finish {
  /** Ends it in a transaction. */
  write(tx: Tx): Promise<void>;
  /** False where it arrived again meanwhile; undefined: nothing was written. */
  isFinished: boolean | undefined;
}

export function finishWith(notification: NotificationRow): Finish {
  const finish: Finish = {
    isFinished: undefined,
    async write({ write, now }) {
      finish.isFinished = true;
      const otherwise = () => {
        finish.isFinished = false;
        return undefined;
      };
      const values = valuesOf(notification, 'processed', now);
      await write({ parts: { notification: FINISH }, values, otherwise });
    },
  };
  return finish;
}

const FINISH = `
  update notifications set status = $3, due_at = null, processed_at = $5
  where id = $1 and tries = $2 and coalesce(arrived_at, created_at) = $4 returning id`;

function valuesOf(notification: NotificationRow, status: Ended, now: Date): unknown[] {
  return [notification.id, notification.tries, status, arrivalOf(notification), now];
}
