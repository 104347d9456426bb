import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Entities, Sql } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import { WebhookEndpoint } from '../entities/endpoint.ts';
import type { EndpointRow } from './secrets.ts';

/** A webhook endpoint and how many deliveries wait for it, counted up to `MAX_COUNTED`. */
export type CountedEndpoint = EndpointRow & { pending: number };

const MAX_COUNTED = 10_000;

/** The endpoint of this tenant and mode. Throws `not_found`. */
export async function findEndpoint(
  { em }: Pick<Tx, 'em'>,
  { tenantId, mode }: Reader,
  id: string,
): Promise<EndpointRow> {
  const row = await em.findOne(WebhookEndpoint, {
    id,
    tenant_id: tenantId,
    mode,
    deleted_at: null,
  });
  if (!row) throw noSuchEndpoint();
  return row;
}

/**
 * Locks and returns the endpoint of this tenant and mode: its changes wait for each other. Throws
 * `not_found`. It is SQL because the ORM knows only stronger locks, which would block events that
 * are published meanwhile.
 */
export async function lockEndpoint(tx: Tx, reader: Reader, id: string): Promise<EndpointRow> {
  await tx.sql.query(
    `select from webhook_endpoints where id = $1 and tenant_id = $2 and mode = $3
     for no key update`,
    [id, reader.tenantId, reader.mode],
  );
  return findEndpoint(tx, reader, id);
}

/** Endpoints of this tenant and mode, newest first: those whose id sorts before `before`. */
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

/** An endpoint with the number of deliveries that wait for it. */
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

/** How many endpoints fail, or were disabled because they failed. */
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
