import { LockMode } from '@mikro-orm/core';
import type { Credentials } from '../../shared/credentials.ts';
import { newId } from '../../shared/ids.ts';
import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Slot } from '../../shared/slot.ts';
import type { Entities, Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { type Actor, recordChange } from '../audit-log/record-change.ts';
import { Connection } from '../entities/connection.ts';
import { lockTenant } from '../lock-tenant.ts';
import { type ConnectionRow, sealCredentials } from './connection.ts';

export type ConnectionDraft = Pick<
  ConnectionRow,
  'id' | 'tenant_id' | 'mode' | 'slot' | 'adapter' | 'credentials' | 'sandbox'
>;

export const MAX_POSITION = 100;

export interface NewConnection {
  slot: Slot;
  adapter: string;
  credentials: Credentials;
  sandbox?: boolean;
}

/** Writes nothing. */
export function draftConnection(
  { vault, now }: Pick<Tx, 'vault' | 'now'>,
  { tenantId, mode }: Reader,
  { slot, adapter, credentials, sandbox = false }: NewConnection,
): ConnectionDraft {
  const owner = { id: newId('con', now), tenant_id: tenantId, mode };
  return {
    ...owner,
    slot,
    adapter,
    credentials: sealCredentials(vault, owner, credentials),
    sandbox,
  };
}

/** Written when the EntityManager flushes. */
export function addConnection(
  { em, now }: Pick<Tx, 'em' | 'now'>,
  draft: ConnectionDraft,
  position: number,
): ConnectionRow {
  return em.create(Connection, {
    ...draft,
    position,
    created_at: now,
    credentials_refused_at: null,
    calls_paused: null,
    disabled_at: null,
    importing_since: null,
    tasks: '',
  });
}

/**
 * By default the last of its mode. Throws `invalid_state` when an enabled connection has its slot.
 */
export async function createConnection(
  tx: Tx,
  actor: Actor,
  draft: ConnectionDraft,
  position: number | undefined,
): Promise<ConnectionRow> {
  const { id, slot, adapter } = draft;
  await lockTenant(tx, actor.tenantId);
  const others = await tx.em.find(Connection, { tenant_id: actor.tenantId, mode: actor.mode });
  const taken = takenSlot(others, slot);
  if (taken) throw slotTaken(taken);
  const last = Math.max(0, ...others.map((other) => other.position));
  const row = addConnection(tx, draft, position ?? Math.min(last + 1, MAX_POSITION));
  await recordChange(tx, actor, 'connection.created', id, `${slot}, ${adapter}`);
  return row;
}

export function slotTaken({ id, slot, mode }: Pick<ConnectionRow, 'id' | 'slot' | 'mode'>) {
  return new Problem(
    'invalid_state',
    `${slot} is connected in ${mode} mode already, by ${id}. Change that connection, or disable it first.`,
  );
}

function takenSlot(connections: readonly ConnectionRow[], slot: Slot): ConnectionRow | undefined {
  return connections.find((one) => one.slot === slot && one.disabled_at === null);
}

/** Connections whose id sorts before `before`, disabled ones too, newest first. */
export function listConnections(
  { em }: Entities,
  { tenantId, mode }: Reader,
  before: string,
  limit: number,
): Promise<ConnectionRow[]> {
  return em.find(
    Connection,
    { tenant_id: tenantId, mode, id: { $lt: before } },
    { orderBy: { id: 'desc' }, limit },
  );
}

/** Finds a connection, disabled or not. Throws `not_found`. */
export async function findOwnConnection(
  { em }: Entities,
  { tenantId, mode }: Reader,
  id: string,
): Promise<ConnectionRow> {
  const row = await em.findOne(Connection, { tenant_id: tenantId, mode, id });
  if (!row) throw noSuchConnection();
  return row;
}

export function findConnectionAt(
  { em }: Entities,
  { tenantId, mode }: Reader,
  slot: Slot,
): Promise<ConnectionRow | null> {
  return em.findOne(Connection, { tenant_id: tenantId, mode, slot, disabled_at: null });
}

/** Changes come one after the other. Throws `invalid_state` where the enabled slot is taken. */
export async function changeConnection(
  tx: Tx,
  actor: Actor,
  id: string,
  changes: {
    /** Sealed, and accepted by the provider. */
    credentials?: string;
    /** Disabled: nothing new is sent through it; what was sent is still checked. */
    status?: 'enabled' | 'disabled';
    position?: number;
  },
): Promise<ConnectionRow> {
  const row = await tx.em.findOne(
    Connection,
    { tenant_id: actor.tenantId, mode: actor.mode, id },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!row) throw noSuchConnection();
  const {
    credentials = row.credentials,
    status = statusOf(row),
    position = row.position,
  } = changes;
  const changed = [
    ...(credentials === row.credentials ? [] : ['credentials']),
    ...(status === statusOf(row) ? [] : [`status: ${status}`]),
    ...(position === row.position ? [] : [`position: ${position}`]),
  ];
  if (changed.length === 0) return row;
  if (row.disabled_at !== null && status === 'enabled') await claimSlot(tx, actor, row);
  const disabled_at = status === 'enabled' ? null : (row.disabled_at ?? tx.now);
  Object.assign(row, { credentials, disabled_at, position });
  if (changes.credentials !== undefined) row.credentials_refused_at = null;
  await recordChange(tx, actor, 'connection.changed', id, changed.join('; '));
  return row;
}

async function claimSlot(tx: Tx, { tenantId, mode }: Actor, { slot }: ConnectionRow) {
  await lockTenant(tx, tenantId);
  const taken = takenSlot(await tx.em.find(Connection, { tenant_id: tenantId, mode }), slot);
  if (taken) throw slotTaken(taken);
}

export function statusOf({
  disabled_at,
}: Pick<ConnectionRow, 'disabled_at'>): 'enabled' | 'disabled' {
  return disabled_at === null ? 'enabled' : 'disabled';
}

function noSuchConnection(): Problem {
  return new Problem('not_found', 'There is no connection with this id in this mode.');
}

/** Each slot's provider, of the enabled connection where there are more. */
export async function providersBySlot(
  sql: Sql,
  { tenantId, mode }: Reader,
): Promise<Record<string, string>> {
  const rows = await sql.query<{ slot: string; adapter: string }>(
    `select slot, adapter from connections where tenant_id = $1 and mode = $2
     order by disabled_at is null, id`,
    [tenantId, mode],
  );
  return Object.fromEntries(rows.map(({ slot, adapter }) => [slot, adapter]));
}

export interface ConnectionName {
  slot: Slot;
  /** The provider's, with a number from the second account at it on. It never changes. */
  name: string;
}

/** By id, disabled ones too. */
export async function connectionNames(
  sql: Sql,
  { tenantId, mode }: Reader,
): Promise<Map<string, ConnectionName>> {
  const rows = await sql.query<ConnectionName & { id: string }>(
    `select id, slot, initcap(adapter) || coalesce('-' || nullif(
       row_number() over (partition by adapter order by id), 1), '') as name
     from connections where tenant_id = $1 and mode = $2`,
    [tenantId, mode],
  );
  return new Map(rows.map(({ id, ...named }) => [id, named]));
}

export async function countOwn(sql: Sql, { tenantId, mode }: Reader, ids: readonly string[]) {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::int from connections where tenant_id = $1 and mode = $2 and id = any($3)`,
    [tenantId, mode, ids],
  );
  return row!.count;
}
