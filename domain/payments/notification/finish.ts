import type { StoredConnection } from '../../accounts/connection/connection.ts';
import type { RowOf } from '../../shared/columns.ts';
import type { ClaimedRow } from '../../shared/due-rows.ts';
import { rowsWrite, type Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { collectWrites } from '../../shared/writes.ts';
import type { Notification } from '../entities/notification.ts';
import { NAMED_ATTEMPTS, type NamedAttempt, namedBy } from './verifications.ts';

export type NotificationRow = ClaimedRow &
  Pick<
    RowOf<typeof Notification>,
    'connection_id' | 'about' | 'body' | 'event' | 'created_at' | 'arrived_at'
  > & { connection: StoredConnection; named: NamedAttempt[] };

/** Part of the claim. */
export const SELECT_NOTIFICATIONS = `, ${NAMED_ATTEMPTS}
select claimed.*, row_to_json(o) as connection, ${namedBy('claimed.id')} as named
from claimed join connections o on o.id = claimed.connection_id`;

export const arrivalOf = ({
  arrived_at: arrivedAt,
  created_at: createdAt,
}: Pick<NotificationRow, 'arrived_at' | 'created_at'>): Date => arrivedAt ?? createdAt;

type Ended = 'processed' | 'ignored';

/** False where it arrived again: what it is about may have happened after the answer. */
export async function finishNotification(
  sql: Sql,
  notification: NotificationRow,
  status: Ended,
  now: Date,
): Promise<boolean> {
  const finish = finishWith(notification, status);
  const { write, flush } = collectWrites(sql);
  await finish.write({ write, now });
  await flush();
  return finish.isFinished!;
}

export interface Finish {
  write(tx: Pick<Tx, 'write' | 'now'>): Promise<void>;
  /** False: it arrived again; undefined: not written. */
  isFinished: boolean | undefined;
}

export function finishWith(notification: NotificationRow, status: Ended = 'processed'): Finish {
  const finish: Finish = {
    isFinished: undefined,
    async write({ write, now }) {
      finish.isFinished = true;
      const otherwise = () => {
        finish.isFinished = false;
        return undefined;
      };
      await write(
        finishWrite(
          {
            key: notification.id,
            tries: notification.tries,
            status,
            arrival: arrivalOf(notification),
            now,
          },
          otherwise,
        ),
      );
    },
  };
  return finish;
}

const finishWrite = rowsWrite(
  'notification',
  { key: 'text', tries: 'int', status: 'text', arrival: 'timestamptz', now: 'timestamptz' },
  `update notifications n set status = row.status, due_at = null, processed_at = row.now
  from :rows
  where n.id = row.key and n.tries = row.tries
    and coalesce(n.arrived_at, n.created_at) = row.arrival
  returning n.id as key`,
);
