import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { lockTenant } from '../../accounts/lock-tenant.ts';
import { newWebhookSecret } from '../../accounts/token/credentials.ts';
import { newId } from '../../shared/ids.ts';
import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { WebhookEndpoint } from '../entities/endpoint.ts';
import type { EventType } from '../event/publish.ts';
import { type OldSecret, type SigningEndpoint, sealedFor, stillSigning } from './secrets.ts';

/** By a member, because its receiver answered 410, or because it failed for days without a single success. */
export const disabledReasons = ['by_hand', 'gone', 'failing'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** A webhook endpoint as it is kept, and how many deliveries still wait for it, counted up to `MOST_COUNTED`. */
export interface EndpointRow extends SigningEndpoint {
  url: string;
  event_types: EventType[];
  status: 'enabled' | 'disabled';
  disabled_at: Date | null;
  disabled_reason: DisabledReason | null;
  failing_since: Date | null;
  missed_since: Date | null;
  created_at: Date;
  pending: number;
}

/** More than any merchant has systems to tell; too few to multiply every event by. */
export const MOST_ENDPOINTS = 20;
/** A rotated secret signs for this long. */
export const OVERLAP_MS = 24 * 3_600_000;
/** Secrets that sign a delivery together: each costs every delivery a signature. */
const MOST_OLD_SECRETS = 4;
const MOST_COUNTED = 10_000;

const COLUMNS = `id, tenant_id, mode, url, event_types, secret, old_secrets, status, disabled_at, disabled_reason, failing_since,
  missed_since, created_at,
  (select count(*)::int from (
     select from deliveries where endpoint_id = webhook_endpoints.id and status = 'pending' limit ${MOST_COUNTED}) waiting) as pending`;

export interface NewEndpoint {
  url: string;
  eventTypes: readonly EventType[];
}

/** Prepares an endpoint and its secret, which is shown once; written when the EntityManager flushes. */
export function addEndpoint(
  { em, vault, now }: Pick<Tx, 'em' | 'vault' | 'now'>,
  { tenantId, mode }: Reader,
  { url, eventTypes }: NewEndpoint,
): { id: string; secret: string } {
  const id = newId('whe', now);
  const secret = newWebhookSecret();
  em.create(WebhookEndpoint, {
    id,
    tenant_id: tenantId,
    mode,
    url,
    event_types: [...eventTypes],
    secret: vault.seal(secret, sealedFor({ id, tenant_id: tenantId, mode })),
    created_at: now,
  });
  return { id, secret };
}

/**
 * Creates an endpoint and its secret, which is shown now and never again. Throws `invalid_state` when
 * the tenant has as many as it may have in this mode, however many are created at once.
 */
export async function createEndpoint(
  tx: Tx,
  actor: Actor,
  newEndpoint: NewEndpoint,
): Promise<{ row: EndpointRow; secret: string }> {
  const { tenantId, mode } = actor;
  await lockTenant(tx, tenantId);
  const existing = await tx.em.count(WebhookEndpoint, {
    tenant_id: tenantId,
    mode,
    deleted_at: null,
  });
  if (existing >= MOST_ENDPOINTS)
    throw new Problem(
      'invalid_state',
      `There are ${MOST_ENDPOINTS} webhook endpoints in ${mode} mode already. Delete one first.`,
    );
  const { id, secret } = addEndpoint(tx, actor, newEndpoint);
  await recordChange(tx, actor, 'webhook_endpoint.created', id, newEndpoint.url);
  await tx.em.flush();
  return { row: await findEndpoint(tx.sql, actor, id), secret };
}

/** Endpoints of this tenant and mode, newest first: those whose id sorts before `before`. */
export function listEndpoints(
  sql: Sql,
  { tenantId, mode }: Reader,
  before: string,
  limit: number,
): Promise<EndpointRow[]> {
  return sql.query<EndpointRow>(
    `select ${COLUMNS} from webhook_endpoints where tenant_id = $1 and mode = $2 and id < $3 and deleted_at is null
     order by id desc limit $4`,
    [tenantId, mode, before, limit],
  );
}

/** The endpoint of this tenant and mode. Throws `not_found`. `lock`: changes of it wait for each other from here on. */
export async function findEndpoint(
  sql: Sql,
  { tenantId, mode }: Reader,
  id: string,
  lock = false,
): Promise<EndpointRow> {
  const [row] = await sql.query<EndpointRow>(
    `select ${COLUMNS} from webhook_endpoints where tenant_id = $1 and mode = $2 and id = $3 and deleted_at is null
     ${lock ? 'for no key update' : ''}`,
    [tenantId, mode, id],
  );
  if (!row) throw noSuchEndpoint();
  return row;
}

export const noSuchEndpoint = () =>
  new Problem('not_found', 'There is no webhook endpoint with this id in this mode.');

export interface EndpointChanges {
  url?: string;
  eventTypes?: readonly EventType[];
  status?: 'enabled' | 'disabled';
}

/**
 * Changes an endpoint. Disabling cancels what waits for it. Enabling it, or giving it another address, begins its failures anew; what it
 * missed while it was disabled is sent when somebody asks for it (`resendMissed`).
 */
export async function changeEndpoint(
  tx: Tx,
  actor: Actor,
  id: string,
  changes: EndpointChanges,
): Promise<EndpointRow> {
  const before = await findEndpoint(tx.sql, actor, id, true);
  const { url = before.url, eventTypes = before.event_types, status = before.status } = changes;
  const isNew = {
    url: url !== before.url,
    types: String(eventTypes) !== String(before.event_types),
    status: status !== before.status,
  };
  if (isNew.status && status === 'disabled') await disableEndpoint(tx, id, 'by_hand');
  await tx.sql.query(
    `update webhook_endpoints set url = $2, event_types = $3,
       failing_since = case when $4 then null else failing_since end,
       status = $5, disabled_at = case when $5 = 'enabled' then null else disabled_at end,
       disabled_reason = case when $5 = 'enabled' then null else disabled_reason end
     where id = $1`,
    [id, url, eventTypes, isNew.url || isNew.status, status],
  );
  const told = [
    ...(isNew.url ? [`url: ${url}`] : []),
    ...(isNew.types ? [`event_types: ${eventTypes.join(', ')}`] : []),
    ...(isNew.status ? [`status: ${status}`] : []),
  ];
  if (told.length > 0)
    await recordChange(tx, actor, 'webhook_endpoint.changed', id, told.join('; '));
  return findEndpoint(tx.sql, actor, id);
}

/**
 * Gives the endpoint a new secret, shown now and never again. The one before signs beside it for a day. Throws `invalid_state` when too
 * many still do.
 */
export async function rotateSecret(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<{ row: EndpointRow; secret: string }> {
  const { sql, now, vault } = tx;
  const before = await findEndpoint(sql, actor, id, true);
  const still = stillSigning(before, now);
  if (still.length >= MOST_OLD_SECRETS) {
    throw new Problem(
      'invalid_state',
      `${still.length} older secrets still sign. Rotate again after ${still.at(-1)!.until}.`,
    );
  }
  const secret = newWebhookSecret();
  const until = new Date(now.getTime() + OVERLAP_MS).toISOString();
  const oldSecrets: OldSecret[] = [{ secret: before.secret, until }, ...still];
  await sql.query('update webhook_endpoints set secret = $2, old_secrets = $3 where id = $1', [
    id,
    vault.seal(secret, sealedFor(before)),
    JSON.stringify(oldSecrets),
  ]);
  await recordChange(tx, actor, 'webhook_endpoint.secret_rotated', id);
  return { row: await findEndpoint(sql, actor, id), secret };
}

/** Deletes an endpoint: what waits for it is cancelled, its secrets are gone. What was sent to it can still be read. */
export async function deleteEndpoint(tx: Tx, actor: Actor, id: string): Promise<EndpointRow> {
  const row = await findEndpoint(tx.sql, actor, id, true);
  await disableEndpoint(tx, id, 'by_hand');
  await tx.sql.query(
    `update webhook_endpoints set deleted_at = $2, secret = '', old_secrets = '[]' where id = $1`,
    [id, tx.now],
  );
  await recordChange(tx, actor, 'webhook_endpoint.deleted', id, row.url);
  const { disabled_at = tx.now, disabled_reason = 'by_hand' } = row.disabled_at ? row : {};
  return { ...row, status: 'disabled', disabled_at, disabled_reason, old_secrets: [], pending: 0 };
}

/** Deliveries cancelled at once; were there more, the others are when they come up. */
const MOST_CANCELLED = 20_000;

/**
 * How long before it was disabled an endpoint may have begun to miss: a change under way just then writes its event, of its own beginning,
 * when nobody is there any more; and a failure ends before the endpoint is known to fail.
 */
const UNDER_WAY = `interval '1 minute'`;

/** When the oldest event happened of those that the endpoint's deliveries of a kind are about. What was resent is a young delivery of an old event. */
const oldestEventOf = (kind: string) => `(
  select created_at from events where id = (
    select min(event_id) from (
      select event_id from deliveries d where d.endpoint_id = endpoint.id and ${kind} order by d.id limit ${MOST_CANCELLED}
    ) found))`;

/**
 * Sends an endpoint nothing more, and cancels what waits for it. That, and what has not arrived since it began to fail, counts as missed.
 * Does nothing to one that is disabled, nor for its failures to one that has succeeded since they were counted.
 */
export async function disableEndpoint(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  id: string,
  reason: DisabledReason,
): Promise<void> {
  await sql.query(
    `with disabled as (
       update webhook_endpoints endpoint set status = 'disabled', disabled_at = $2, disabled_reason = $3,
         missed_since = greatest(created_at, least(missed_since, $2::timestamptz - ${UNDER_WAY}, ${oldestEventOf(`d.status = 'pending'`)},
           ${oldestEventOf(`d.status = 'exhausted' and d.finished_at >= endpoint.failing_since - ${UNDER_WAY}`)}))
       where id = $1 and status = 'enabled' and ($3 <> 'failing' or failing_since is not null) returning id
     ), waiting as (
       select d.id from disabled, lateral (
         select id from deliveries where endpoint_id = disabled.id and status = 'pending' order by id limit ${MOST_CANCELLED} for update
       ) d
     )
     update deliveries set status = 'cancelled', due_at = null, finished_at = $2 where id = any(array(select id from waiting))`,
    [id, now, reason],
  );
}

/** Notes an endpoint's first failure since its last success, which ends it (`recordTries`). */
export async function noteFailure(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  id: string,
): Promise<void> {
  await sql.query(
    'update webhook_endpoints set failing_since = $2 where id = $1 and failing_since is null',
    [id, now],
  );
}
