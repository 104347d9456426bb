import type { Sql } from '../../domain/shared/sql.ts';
import type { SandboxContext, Signer } from './context.ts';
import type { ProviderName } from './records.ts';
import { all } from './rows.ts';

/**
 * Waits before the second, third and fourth try. The real providers go on for days; here retries to
 * a lost receiver should end soon.
 */
export const retryDelaysMs = [1_000, 10_000, 60_000];

/**
 * Longer than a POST can last, so that a claimed notification is not claimed twice, and one whose
 * sandbox died is claimed again.
 */
const leaseMs = 30_000;

export interface DueNotification extends Signer {
  id: number;
  body: string;
  tries: number;
  provider: ProviderName;
  notificationUrl: string;
}

/**
 * Queues a notification in the transaction of its change. The bytes are fixed here; the signature
 * is made when they are sent.
 */
export async function notify(
  tx: Sql,
  context: SandboxContext,
  account: { id: number; provider: ProviderName; notificationUrl: string | null },
  message: object | undefined,
): Promise<void> {
  const faults = context.faults.of(account.provider);
  if (!message || !account.notificationUrl || faults.dropNotifications) return;
  const copies = faults.duplicateNotifications ? 2 : 1;
  await tx.query(
    `insert into sandbox.notification (account_id, body, due_at, created_at)
     select $1, $2, $3::timestamptz, $3::timestamptz from generate_series(1, $4::integer)`,
    [account.id, JSON.stringify(message), context.now(), copies],
  );
}

/** Claims up to `limit` due notifications and counts the try. */
export function claimDue(sql: Sql, now: Date, limit: number): Promise<DueNotification[]> {
  return all<DueNotification>(
    sql,
    `update sandbox.notification n set tries = tries + 1, due_at = $2
       from sandbox.account a
      where a.id = n.account_id
        and n.id = any(array(select id from sandbox.notification where due_at <= $1
          order by due_at, id limit $3 for update skip locked))
      returning n.id, n.body, n.tries, a.provider, a.secret_key, a.credentials, a.notification_url`,
    [now, new Date(now.getTime() + leaseMs), limit],
  );
}

/** Records that the receiver accepted it. */
export async function markDelivered(sql: Sql, id: number, now: Date): Promise<void> {
  await sql.query(
    'update sandbox.notification set delivered_at = $2, due_at = null where id = $1',
    [id, now],
  );
}

/** Schedules the next try, or gives up after the last. */
export async function markMissed(
  sql: Sql,
  notification: DueNotification,
  now: Date,
): Promise<void> {
  const delayMs = retryDelaysMs[notification.tries - 1];
  const dueAt = delayMs === undefined ? null : new Date(now.getTime() + delayMs);
  await sql.query('update sandbox.notification set due_at = $2 where id = $1', [
    notification.id,
    dueAt,
  ]);
}
