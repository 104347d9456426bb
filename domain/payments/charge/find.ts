import type { Role } from '../../accounts/roles.ts';
import type { RowOf } from '../../shared/columns.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { TimelineEntry } from '../entities/timeline.ts';
import type { ChargeRow } from './row.ts';

/** A tenant's own in its mode. */
export async function findByNumber(
  sql: Sql,
  reader: Reader,
  number: number,
): Promise<ChargeRow | undefined> {
  const [row] = await sql.query<ChargeRow>(
    'select * from charges where number = $1 and tenant_id = $2 and mode = $3',
    [number, reader.tenantId, reader.mode],
  );
  return row;
}

/** Checks the credential and reads in one round trip. */
export async function findForCredential(
  sql: Sql,
  credential: { sha256: string; roles: readonly Role[]; now: Date },
  number: number,
): Promise<ChargeRow | undefined> {
  const [row] = await sql.query<ChargeRow>(
    `select charges.* from credentials join charges using (tenant_id, mode)
     where sha256 = $1 and role = any($2)
       and (credentials.expires_at is null or credentials.expires_at > $3) and number = $4`,
    [credential.sha256, credential.roles, credential.now, number],
  );
  return row;
}

/**
 * References need not be unique: the paid one, else the newest of a secret key or member. A payment
 * that was imported pays no charge, whatever reference somebody gave it.
 */
export async function findByMerchantReference(
  sql: Sql,
  reader: Reader,
  merchantReference: string,
): Promise<ChargeRow | undefined> {
  const [row] = await sql.query<ChargeRow>(
    `select * from charges where tenant_id = $1 and mode = $2 and merchant_reference = $3
     order by (is_paid and created_by <> 'import') desc,
       created_by in ('secret', 'member') desc, id desc limit 1`,
    [reader.tenantId, reader.mode, merchantReference],
  );
  return row;
}

/** A tenant's own in its mode. */
export async function findByTransactionId(
  sql: Sql,
  reader: Reader,
  id: string,
): Promise<ChargeRow | undefined> {
  const [row] = await sql.query<ChargeRow>(
    'select * from charges where id = $1 and tenant_id = $2 and mode = $3',
    [id, reader.tenantId, reader.mode],
  );
  return row;
}

/** A tenant's own in its mode, in any order. */
export function findByTransactionIds(
  sql: Sql,
  reader: Reader,
  ids: readonly string[],
): Promise<ChargeRow[]> {
  return sql.query<ChargeRow>(
    'select * from charges where id = any($1) and tenant_id = $2 and mode = $3',
    [ids, reader.tenantId, reader.mode],
  );
}

/**
 * Newest first. The reference is of an attempt, or the provider's id of a payment, whatever became
 * of it.
 */
export function findByProviderReference(
  sql: Sql,
  reader: Reader,
  reference: string,
  most: number,
): Promise<ChargeRow[]> {
  return sql.query<ChargeRow>(
    `select * from charges where tenant_id = $1 and mode = $2 and id = any(array(
       select charge_id from connections
         join attempts on attempts.connection_id = connections.id and attempts.reference = $3
       where connections.tenant_id = $1 and connections.mode = $2
       union all
       select charge_id from connections
         join captures on captures.connection_id = connections.id
           and captures.provider_payment_id = $3
       where connections.tenant_id = $1 and connections.mode = $2))
     order by id desc limit $4`,
    [reader.tenantId, reader.mode, reference, most],
  );
}

/** For pages whose address is itself the permission. */
export async function findById(sql: Sql, id: string): Promise<ChargeRow | undefined> {
  const [row] = await sql.query<ChargeRow>('select * from charges where id = $1', [id]);
  return row;
}

export type TimelineRow = Pick<
  RowOf<typeof TimelineEntry>,
  'position' | 'id' | 'at' | 'what' | 'detail' | 'amount_kobo' | 'evidence_sha256'
>;

/** Entries after a position, oldest first. */
export function timelineOf(
  sql: Sql,
  chargeId: string,
  { after, most }: { after: number; most: number },
): Promise<TimelineRow[]> {
  return sql.query<TimelineRow>(
    `select position, id, at, what, detail, amount_kobo, evidence_sha256 from timeline_entries
     where charge_id = $1 and position > $2 order by position limit $3`,
    [chargeId, after, most],
  );
}
