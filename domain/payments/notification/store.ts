import type { StoredConnection } from '../../accounts/connection/connection.ts';
import type { Notification } from '../../providers/port/provider.ts';
import { newId } from '../../shared/ids.ts';
import { statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { SealedFor, Vault } from '../../shared/vault.ts';

/** A processed body is processed at most once in this time. */
export const REPEAT_AFTER_MS = 60_000;

export interface Arrival {
  connection: StoredConnection;
  notification: Notification;
  body: Buffer;
  sha256: string;
}

export interface TakenNotification {
  id: string;
  repeated: boolean;
}

interface Row {
  connection_id: string;
  body_sha256: string;
  id: string;
  due_at: Date;
  waited: boolean;
}

/**
 * Stores notifications, each once per body and connection; no two given are alike. A repeated body
 * is not always a replay: two refunds of one amount have the same bytes. While the row waits only
 * its arrival changes; later it is due again after `REPEAT_AFTER_MS`.
 */
export async function storeNotifications(
  { sql, vault, now, enqueue }: Pick<Tx, 'sql' | 'vault' | 'now' | 'enqueue'>,
  arrivals: readonly Arrival[],
): Promise<TakenNotification[]> {
  const given = arrivals.map(({ connection, notification, body, sha256 }) => ({
    id: newId('ntf', now),
    connection_id: connection.id,
    body_sha256: sha256,
    body: vault.sealDocument(body.toString('utf8'), sealedFor(connection)),
    event: isPlain(notification.event) ? notification.event : 'unknown',
    about: notification.about,
    payment_references: JSON.stringify(notification.references.filter(isPlain)),
    payment_ids: JSON.stringify(notification.paymentIds.filter(isPlain)),
  }));
  const column = (name: keyof (typeof given)[number]) => given.map((row) => row[name]);
  const rows = await store(sql, {
    ids: column('id'),
    connections: column('connection_id'),
    sums: column('body_sha256'),
    bodies: column('body'),
    events: column('event'),
    abouts: column('about'),
    references: column('payment_references'),
    payment_ids: column('payment_ids'),
    now,
  });
  return given.map(({ id, connection_id, body_sha256 }) => {
    const row = rows.find(
      (one) => one.connection_id === connection_id && one.body_sha256 === body_sha256,
    )!;
    const { id: known, due_at: dueAt, waited } = row;
    if (!waited) enqueue({ queue: 'notification-process', id: known, group: connection_id, dueAt });
    return { id: known, repeated: known !== id };
  });
}

export function openBody(vault: Vault, connection: StoredConnection, body: string): string {
  return vault.open(body, sealedFor(connection));
}

function sealedFor({ id, tenant_id, mode }: StoredConnection): SealedFor {
  return { table: 'notifications', row: id, tenant: tenant_id, mode };
}

/** Ordered, so that no two statements deadlock. Tries of earlier arrivals do not count. */
const store = statement<Row>(`
  with given as materialized (
    select * from unnest(:ids::text[], :connections::text[], :sums::text[], :bodies::text[],
      :events::text[], :abouts::text[], :references::jsonb[], :payment_ids::jsonb[])
      as given (id, connection_id, body_sha256, body, event, about, payment_references, payment_ids)
  ), known as materialized (
    select n.id, n.due_at from given cross join lateral (
      select id, due_at from notifications
      where connection_id = given.connection_id and body_sha256 = given.body_sha256) n
  ), stored as (
    insert into notifications as n (id, connection_id, body_sha256, body, event, about,
      payment_references, payment_ids, status, due_at, created_at, arrived_at)
    select id, connection_id, body_sha256, body, event, about,
      array(select jsonb_array_elements_text(payment_references)),
      array(select jsonb_array_elements_text(payment_ids)), 'received', :now, :now, :now
    from given order by connection_id, body_sha256
    on conflict (connection_id, body_sha256) do update set
      status = 'received',
      arrived_at = excluded.arrived_at,
      due_at = coalesce(n.due_at,
        greatest(excluded.due_at, n.processed_at + interval '${REPEAT_AFTER_MS} milliseconds')),
      snoozes = case when n.due_at is null then n.tries else n.snoozes end
    returning connection_id, body_sha256, id, due_at
  )
  select stored.*, known.due_at is not null as waited from stored left join known using (id)`);

/** Anything else names nothing of ours, and PostgreSQL might refuse it. */
function isPlain(name: string): boolean {
  return /^[\x20-\x7e]{1,100}$/.test(name);
}
