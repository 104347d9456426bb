import type { RowOf } from '../../shared/columns.ts';
import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import { type Total, totalOfRows } from '../../shared/total.ts';
import type { Dispute } from '../entities/dispute.ts';
import type { DisputeResponse } from '../entities/dispute-response.ts';
import type { DisputeStatus } from './transitions.ts';

/** A dispute with what people know its charge by. */
export type ListedDispute = RowOf<typeof Dispute> & {
  number: number;
  email: string;
  name: string | null;
  phone: string | null;
  slot: string;
  adapter: string;
  /** Of the newest answer; null: none was given here. */
  answer: RowOf<typeof DisputeResponse>['kind'] | null;
  answer_status: RowOf<typeof DisputeResponse>['status'] | null;
};

export interface DisputeListQuery {
  status?: DisputeStatus | undefined;
  chargeNumber?: number | undefined;
  before: string;
  limit: number;
}

/**
 * Disputes of a tenant, newest first: at most `limit`, with ids that sort before `before`. Charges
 * are read one by one: PostgreSQL, which does not know the limit, would read all of them.
 */
export function listDisputes(
  sql: Sql,
  { tenantId, mode }: Reader,
  { status, chargeNumber, before, limit }: DisputeListQuery,
): Promise<ListedDispute[]> {
  const values: unknown[] = [tenantId, mode, before, limit];
  const ofStatus = status === undefined ? '' : ` and status = $${values.push(status)}`;
  const ofCharge =
    chargeNumber === undefined
      ? ''
      : ` and charge_id = (select id from charges where tenant_id = $1 and mode = $2
           and number = $${values.push(chargeNumber)})`;
  return sql.query<ListedDispute>(
    withCharge(`
      select * from disputes where tenant_id = $1 and mode = $2 and id < $3${ofStatus}${ofCharge}
      order by id desc limit $4`),
    values,
  );
}

/** A tenant's own in its mode. Throws `not_found`. */
export async function findDispute(
  sql: Sql,
  { tenantId, mode }: Reader,
  id: string,
): Promise<ListedDispute> {
  const [row] = await sql.query<ListedDispute>(
    withCharge('select * from disputes where tenant_id = $1 and mode = $2 and id = $3'),
    [tenantId, mode, id],
  );
  if (!row)
    throw new Problem(
      'not_found',
      'There is no such dispute in this mode. A live dispute read with a test key is not found.',
    );
  return row;
}

/** Disputes with this id at a provider. */
export function findDisputesByProviderId(
  sql: Sql,
  { tenantId, mode }: Reader,
  providerDisputeId: string,
): Promise<ListedDispute[]> {
  return sql.query<ListedDispute>(
    withCharge(`
      select disputes.* from connections join disputes
        on disputes.connection_id = connections.id and provider_dispute_id = $3
      where connections.tenant_id = $1 and connections.mode = $2`),
    [tenantId, mode, providerDisputeId],
  );
}

/** SQL: the disputes that a statement selects. */
export const withCharge = (disputes: string) => `
  select d.*, c.number, c.email, c.name, c.phone, o.slot, o.adapter,
    r.kind as answer, r.status as answer_status
  from (${disputes}) d
  join charges c on c.id = d.charge_id join connections o on o.id = d.connection_id
  left join lateral (select kind, status from dispute_responses
    where dispute_id = d.id order by id desc limit 1) r on true
  order by d.id desc`;

/** How many disputes there are, and what they are about in all. */
export function totalOfDisputes(
  sql: Sql,
  { tenantId, mode }: Reader,
  status?: DisputeStatus,
): Promise<Total> {
  const values = [tenantId, mode, ...(status ? [status] : [])];
  const rows = `select amount_kobo from disputes
    where tenant_id = $1 and mode = $2${status ? ' and status = $3' : ''}`;
  return totalOfRows(sql, rows, values);
}

export type UnansweredDispute = Pick<ListedDispute, 'id' | 'amount_kobo' | 'number'> & {
  respond_by: Date;
};

/** Open ones that nobody answered, whose deadline is between these: the nearest first. */
export function unansweredDisputes(
  sql: Sql,
  { tenantId, mode }: Reader,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<UnansweredDispute[]> {
  return sql.query<UnansweredDispute>(
    `select d.id, d.amount_kobo, d.respond_by, c.number
     from disputes d join charges c on c.id = d.charge_id
     where d.tenant_id = $1 and d.mode = $2 and d.status = 'open'
       and d.respond_by > $3 and d.respond_by <= $4
       and (select 1 from dispute_responses r
         where r.dispute_id = d.id and r.status not in ('requested', 'refused')) is null
     order by d.respond_by limit $5`,
    [tenantId, mode, from, to, limit],
  );
}
