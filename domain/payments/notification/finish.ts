import type { StoredConnection } from '../../accounts/connection/connection.ts';
import type { RowOf } from '../../shared/columns.ts';
import type { ClaimedRow } from '../../shared/due-rows.ts';
import type { Sql } from '../../shared/sql.ts';
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

/**
 * Ends a claimed notification. False where it arrived again meanwhile: what it is about may have
 * happened after the answer.
 */
export async function finishNotification(
  sql: Sql,
  notification: NotificationRow,
  status: 'processed' | 'ignored',
  now: Date,
): Promise<boolean> {
  const rows = await sql.query(
    `update notifications set status = $3, due_at = null, processed_at = $5
     where id = $1 and tries = $2 and coalesce(arrived_at, created_at) = $4 returning id`,
    [notification.id, notification.tries, status, arrivalOf(notification), now],
  );
  return rows.length > 0;
}
