import type { Sql } from '../../domain/shared/sql.ts';
import type { DueNotification, SandboxContext } from './context.ts';
import type { QueuedNotification } from './page-changes.ts';
import type { Account } from './records.ts';
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

/**
 * Queues a notification in the transaction of its change. The bytes are fixed here; the signature
 * is made when they are sent.
 */
export async function notify(
  tx: Sql,
  context: SandboxContext,
  account: Account,
  message: object | undefined,
): Promise<void> {
  const copies = copiesOf(context, account, message);
  if (copies === 0) return;
  await tx.query(
    `insert into sandbox.notification (account_id, body, due_at, created_at)
     select $1, $2, $3::timestamptz, $3::timestamptz from generate_series(1, $4::integer)`,
    [account.id, JSON.stringify(message), context.now(), copies],
  );
}

function copiesOf(
  context: SandboxContext,
  { provider, notificationUrl }: Account,
  message: object | undefined,
): number {
  const { dropNotifications, duplicateNotifications } = context.faults.of(provider);
  if (!message || !notificationUrl || dropNotifications) return 0;
  return duplicateNotifications ? 2 : 1;
}

/** Makes a change with its notification. Undefined: nothing has changed. */
type Change = (notification: QueuedNotification) => Promise<number[] | undefined>;

/**
 * Makes a change, and sends its notifications once it has committed. They are claimed as they are
 * queued where there is room to send them at once. Returns whether anything changed.
 */
export async function changeAndNotify(
  context: SandboxContext,
  account: Account,
  message: object | undefined,
  change: Change,
): Promise<boolean> {
  const copies = copiesOf(context, account, message);
  const body = copies === 0 ? '' : JSON.stringify(message);
  using room = context.notifier.reserve(copies);
  const now = context.now();
  const ids = await change({
    copies,
    body,
    tries: room ? 1 : 0,
    dueAt: room ? leaseEnd(now) : now,
  });
  if (room) context.notifier.send((ids ?? []).map((id) => dueOf(account, id, body)));
  else context.notifier.sendDue();
  return ids !== undefined;
}

function dueOf(account: Account, id: number, body: string): DueNotification {
  const { provider, secretKey, credentials, notificationUrl } = account;
  return {
    id,
    body,
    tries: 1,
    provider,
    secretKey,
    credentials,
    notificationUrl: notificationUrl!,
  };
}

function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + leaseMs);
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
    [now, leaseEnd(now), limit],
  );
}

/** Records that their receivers accepted them. */
export async function markDelivered(sql: Sql, ids: readonly number[], now: Date): Promise<void> {
  await sql.query(
    `update sandbox.notification set delivered_at = $2, due_at = null
      where id = any($1::bigint[])`,
    [ids, now],
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
