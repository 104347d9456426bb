import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Entities, Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { WebhookEndpoint } from '../entities/endpoint.ts';
import type { EndpointRow } from './secrets.ts';

/** Waiting deliveries, counted up to `MAX_COUNTED`. */
export type CountedEndpoint = EndpointRow & { pending: number };

const MAX_COUNTED = 10_000;

/** Null: there is none, or it was deleted. */
export function lookUpEndpoint(
  { em }: Pick<Tx, 'em'>,
  { tenantId, mode }: Reader,
  id: string,
): Promise<EndpointRow | null> {
  return em.findOne(WebhookEndpoint, { id, tenant_id: tenantId, mode, deleted_at: null });
}

/** Throws `not_found`. */
export async function findEndpoint(
  entities: Pick<Tx, 'em'>,
  reader: Reader,
  id: string,
): Promise<EndpointRow> {
  const row = await lookUpEndpoint(entities, reader, id);
  if (!row) throw noSuchEndpoint();
  return row;
}

/** Throws `not_found`. The ORM knows only stronger locks, which would block published events. */
export async function lockEndpoint(tx: Tx, reader: Reader, id: string): Promise<EndpointRow> {
  await tx.sql.query(
    `select from webhook_endpoints where id = $1 and tenant_id = $2 and mode = $3
     for no key update`,
    [id, reader.tenantId, reader.mode],
  );
  return findEndpoint(tx, reader, id);
}

/** Newest first, with ids that sort before `before`. */
export async function listEndpoints(
  { query, em }: Sql & Entities,
  { tenantId, mode }: Reader,
  before: string,
  limit: number,
): Promise<CountedEndpoint[]> {
  const rows = await em.find(
    WebhookEndpoint,
    { tenant_id: tenantId, mode, id: { $lt: before }, deleted_at: null },
    { orderBy: { id: 'desc' }, limit },
  );
  return withPending({ query }, rows);
}

export async function countPending(sql: Sql, endpoint: EndpointRow): Promise<CountedEndpoint> {
  const [counted] = await withPending(sql, [endpoint]);
  return counted!;
}

async function withPending(
  sql: Sql,
  endpoints: readonly EndpointRow[],
): Promise<CountedEndpoint[]> {
  const counts = await sql.query<{ id: string; pending: number }>(
    `select endpoint.id, waiting.pending
     from unnest($1::text[]) as endpoint (id), lateral (
       select count(*)::int as pending from (
         select from deliveries
         where endpoint_id = endpoint.id and status = 'pending' limit ${MAX_COUNTED}) counted
     ) waiting`,
    [endpoints.map(({ id }) => id)],
  );
  const pendingOf = new Map(counts.map(({ id, pending }) => [id, pending]));
  return endpoints.map((row) => ({ ...row, pending: pendingOf.get(row.id) ?? 0 }));
}

export const noSuchEndpoint = () =>
  new Problem('not_found', 'There is no webhook endpoint with this id in this mode.');

export async function countTroubled({ query }: Sql, { tenantId, mode }: Reader): Promise<number> {
  const [row] = await query<{ count: number }>(
    `select count(*)::int from webhook_endpoints
     where tenant_id = $1 and mode = $2 and deleted_at is null
       and (failing_since is not null and status = 'enabled'
         or disabled_reason in ('gone', 'failing'))`,
    [tenantId, mode],
  );
  return row!.count;
}
