import type { StoredConnection } from '../../accounts/connection/connection.ts';
import type { Job } from '../../jobs.ts';
import type { Notification } from '../../providers/provider.ts';
import { newId } from '../../shared/ids.ts';
import { sha256Of } from '../../shared/sha256.ts';
import type { Sql } from '../../shared/sql.ts';
import type { SealedFor, Vault } from '../../shared/vault.ts';

/** A body that was processed is not processed again before this time, however often it arrives. */
export const REPEAT_AFTER_MS = 60_000;

/** A notification with a valid signature. */
export interface Arrival {
  connection: StoredConnection;
  notification: Notification;
  body: Buffer;
}

interface Row {
  id: string;
  tries: number;
  enqueues: number;
  due_at: Date;
  waited: boolean;
}

/**
 * Stores a notification, once per body and connection, and returns its row's id, whether it arrived
 * before, and the jobs to enqueue.
 *
 * A body that arrives again is not always a replay: two refunds of one amount are notified in the
 * same bytes. So each arrival is recorded and processed. That stays cheap: while the row waits to
 * be processed, only its arrival time changes; afterwards it is due again `REPEAT_AFTER_MS` later,
 * once for all arrivals until then.
 */
export async function storeNotification(
  { sql, vault, now }: { sql: Sql; vault: Vault; now: Date },
  { connection, notification, body }: Arrival,
): Promise<{ id: string; repeated: boolean; jobs: Job[] }> {
  const id = newId('ntf', now);
  const [row] = await sql.query<Row>(STORE, [
    id,
    connection.id,
    sha256Of(body),
    vault.seal(body.toString('utf8'), sealedFor(connection)),
    isPlain(notification.event) ? notification.event : 'unknown',
    notification.references.filter(isPlain),
    now,
    notification.about,
    notification.paymentIds.filter(isPlain),
  ]);
  const { waited, due_at: dueAt, ...job } = row!;
  return {
    id: job.id,
    repeated: job.id !== id,
    jobs: waited ? [] : [{ queue: 'notification-process', ...job, group: connection.id, dueAt }],
  };
}

/** The body of a notification as it came. */
export function openBody(vault: Vault, connection: StoredConnection, body: string): string {
  return vault.open(body, sealedFor(connection));
}

function sealedFor({ id, tenant_id, mode }: StoredConnection): SealedFor {
  return { table: 'notifications', row: id, tenant: tenant_id, mode };
}

/** `snoozes`: tries of earlier arrivals do not count against a new one. */
const STORE = `
  with known as (select due_at from notifications where connection_id = $2 and body_sha256 = $3)
  insert into notifications as n (id, connection_id, body_sha256, body, event, payment_references,
    status, due_at, created_at, arrived_at, about, payment_ids)
  values ($1, $2, $3, $4, $5, $6, 'received', $7, $7, $7, $8, $9)
  on conflict (connection_id, body_sha256) do update set
    status = 'received',
    arrived_at = excluded.arrived_at,
    due_at = coalesce(n.due_at,
      greatest(excluded.due_at, n.processed_at + interval '${REPEAT_AFTER_MS} milliseconds')),
    enqueues = n.enqueues + case when n.due_at is null then 1 else 0 end,
    snoozes = case when n.due_at is null then n.tries else n.snoozes end
  returning id, tries, enqueues, due_at, (select due_at from known) is not null as waited`;

/**
 * True for what ids and references are made of. Anything else names nothing of ours, and PostgreSQL
 * might refuse it.
 */
function isPlain(name: string): boolean {
  return /^[\x20-\x7e]{1,100}$/.test(name);
}
