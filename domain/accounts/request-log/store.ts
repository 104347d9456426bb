import type { RowOf } from '../../shared/columns.ts';
import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import { type Database, type Sql, statement } from '../../shared/sql.ts';
import type { RequestLogEntry } from '../entities/request-log-entry.ts';

export type LoggedRequest = RowOf<typeof RequestLogEntry>;

export type ShownRequest = LoggedRequest & { key_last4: string | null };

export type ListedRequest = Omit<ShownRequest, 'body' | 'answer'>;

/** Says of each key when it was last used, which is written once in ten minutes for a key. */
export async function insertRequests(sql: Sql, requests: readonly LoggedRequest[]): Promise<void> {
  await sql.query(
    `with entry as materialized (
       select * from json_to_recordset($1::json) as entry (id text, tenant_id text, mode text,
         at timestamptz, method text, path text, status smallint, duration_ms integer,
         credential_id text, error text, body text, answer text)
     ), logged as (
       insert into request_log
         (id, tenant_id, mode, at, method, path, status, duration_ms, credential_id, error, body,
           answer)
       select * from entry on conflict do nothing
     ), used as materialized (
       select id from api_keys where id = any(array(select distinct credential_id from entry))
         and coalesce(last_used_at < (select max(at) from entry) - interval '10 minutes', true)
       for no key update skip locked
     )
     update api_keys set last_used_at = (select max(at) from entry where credential_id = used.id)
     from used where api_keys.id = used.id`,
    [JSON.stringify(requests)],
  );
}

/** Throws `not_found`. */
export async function findRequest(
  sql: Sql,
  { tenantId, mode }: Reader,
  id: string,
): Promise<ShownRequest> {
  const [row] = await sql.query<ShownRequest>(
    `select entry.*, key.last4 as key_last4
     from request_log entry left join api_keys key on key.id = entry.credential_id
     where entry.id = $1 and entry.tenant_id = $2 and entry.mode = $3`,
    [id, tenantId, mode],
  );
  if (!row) throw new Problem('not_found', 'There is no request with this id in this mode.');
  return row;
}

/** Newest first, with ids that sort before `before`. */
export function listRequests(
  sql: Database,
  reader: Reader,
  { isRefused, before, limit }: { isRefused: boolean; before: string; limit: number },
): Promise<ListedRequest[]> {
  return (isRefused ? listRefused : listAll)(sql, { ...reader, before, limit });
}

const list = (which: string) => `
select entry.*, key.last4 as key_last4
from (
  select id, tenant_id, mode, at, method, path, status, duration_ms, credential_id, error
  from request_log
  where tenant_id = :tenantId and mode = :mode and id < :before ${which}
  order by id desc limit :limit) entry
left join api_keys key on key.id = entry.credential_id
order by entry.id desc`;

const listAll = statement<ListedRequest>(list(''));
const listRefused = statement<ListedRequest>(list('and status >= 400'));
