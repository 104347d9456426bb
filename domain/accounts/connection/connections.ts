import type { Credentials } from '../../providers/provider.ts';
import { newId } from '../../shared/ids.ts';
import { Problem } from '../../shared/problems.ts';
import type { Mode, Reader } from '../../shared/reader.ts';
import type { Slot } from '../../shared/slot.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { type Actor, recordChange } from '../audit-log/record-change.ts';
import { type StoredConnection, sealCredentials } from './connection.ts';

/** A connection as its row holds it. */
export interface ConnectionRow extends StoredConnection {
  mode: Mode;
  slot: Slot;
  /** `auto` tries a mode's connections in this order. */
  position: number;
  created_at: Date;
}

/** A connection that may become a row once its credentials are proven. */
export type ConnectionDraft = Omit<ConnectionRow, 'position' | 'created_at'>;

export const MAX_POSITION = 100;

const COLUMNS =
  'id, tenant_id, mode, slot, adapter, credentials, sandbox, position, created_at, disabled_at';

/** Prepares a connection to the provider itself, its credentials sealed; nothing is written. */
export function draftConnection(
  { vault, now }: Pick<Tx, 'vault' | 'now'>,
  { tenantId, mode }: Reader,
  { slot, adapter, credentials }: { slot: Slot; adapter: string; credentials: Credentials },
): ConnectionDraft {
  const owner = { id: newId('con', now), tenant_id: tenantId, mode };
  return {
    ...owner,
    slot,
    adapter,
    credentials: sealCredentials(vault, owner, credentials),
    sandbox: false,
    disabled_at: null,
  };
}

/** Writes a connection, by default behind the others of its mode. Throws `invalid_state` when its slot is taken, by a twin too. */
export async function writeConnection(
  tx: Tx,
  actor: Actor,
  draft: ConnectionDraft,
  position: number | undefined,
): Promise<ConnectionRow> {
  const { id, tenant_id: tenantId, mode, slot, adapter, credentials, sandbox } = draft;
  const [row] = await tx.sql.query<ConnectionRow>(
    `insert into connections (id, tenant_id, mode, slot, adapter, credentials, sandbox, position, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, coalesce($8::smallint,
       (select least(coalesce(max(position), 0) + 1, ${MAX_POSITION}) from connections where tenant_id = $2 and mode = $3)), $9)
     on conflict (tenant_id, mode, slot) do nothing returning ${COLUMNS}`,
    [id, tenantId, mode, slot, adapter, credentials, sandbox, position ?? null, tx.now],
  );
  if (!row) throw slotTaken((await findConnectionAt(tx.sql, actor, slot))!);
  await recordChange(tx, actor, 'connection.created', id, `${slot}, ${adapter}`);
  return row;
}

/** The refusal of a second connection in a slot. */
export function slotTaken({
  id,
  slot,
  mode,
}: Pick<ConnectionRow, 'id' | 'slot' | 'mode'>): Problem {
  return new Problem(
    'invalid_state',
    `${slot} is connected in ${mode} mode already, by ${id}. Change that connection instead.`,
  );
}

/** Connections of this tenant and mode, disabled ones too, newest first: those whose id sorts before `before`. */
export function listConnections(
  sql: Sql,
  { tenantId, mode }: Reader,
  before: string,
  limit: number,
): Promise<ConnectionRow[]> {
  return sql.query<ConnectionRow>(
    `select ${COLUMNS} from connections where tenant_id = $1 and mode = $2 and id < $3 order by id desc limit $4`,
    [tenantId, mode, before, limit],
  );
}

/** The connection with this id, disabled or not, or undefined when there is none of this tenant in this mode. */
export async function findOwnConnection(
  sql: Sql,
  { tenantId, mode }: Reader,
  id: string,
): Promise<ConnectionRow | undefined> {
  const [row] = await sql.query<ConnectionRow>(
    `select ${COLUMNS} from connections where tenant_id = $1 and mode = $2 and id = $3`,
    [tenantId, mode, id],
  );
  return row;
}

/** The connection in this slot of this tenant and mode, if any. */
export async function findConnectionAt(
  sql: Sql,
  { tenantId, mode }: Reader,
  slot: Slot,
): Promise<ConnectionRow | undefined> {
  const [row] = await sql.query<ConnectionRow>(
    `select ${COLUMNS} from connections where tenant_id = $1 and mode = $2 and slot = $3`,
    [tenantId, mode, slot],
  );
  return row;
}

export interface ConnectionChanges {
  /** Sealed, and proven. */
  credentials?: string;
  /** Disabled: nothing new is sent through it from the next statement on; what was sent is still asked about. */
  status?: 'enabled' | 'disabled';
  position?: number;
}

/** Changes a connection; what stays as it was is not written. */
export async function changeConnection(
  tx: Tx,
  actor: Actor,
  id: string,
  changes: ConnectionChanges,
): Promise<ConnectionRow> {
  const { tenantId, mode } = actor;
  const [before] = await tx.sql.query<ConnectionRow>(
    `select ${COLUMNS} from connections where tenant_id = $1 and mode = $2 and id = $3 for no key update`,
    [tenantId, mode, id],
  );
  if (!before) throw noSuchConnection();
  const {
    credentials = before.credentials,
    status = statusOf(before),
    position = before.position,
  } = changes;
  const changed = [
    ...(credentials === before.credentials ? [] : ['credentials']),
    ...(status === statusOf(before) ? [] : [`status: ${status}`]),
    ...(position === before.position ? [] : [`position: ${position}`]),
  ];
  if (changed.length === 0) return before;
  const disabledAt = status === 'enabled' ? null : (before.disabled_at ?? tx.now);
  const [row] = await tx.sql.query<ConnectionRow>(
    `update connections set credentials = $4, disabled_at = $5, position = $6
     where tenant_id = $1 and mode = $2 and id = $3 returning ${COLUMNS}`,
    [tenantId, mode, id, credentials, disabledAt, position],
  );
  await recordChange(tx, actor, 'connection.changed', id, changed.join('; '));
  return row!;
}

export function statusOf({
  disabled_at,
}: Pick<ConnectionRow, 'disabled_at'>): 'enabled' | 'disabled' {
  return disabled_at === null ? 'enabled' : 'disabled';
}

export function noSuchConnection(): Problem {
  return new Problem('not_found', 'There is no connection with this id in this mode.');
}
