import { isId } from '../../shared/ids.ts';
import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import { type Total, totalOfRows } from '../../shared/total.ts';
import { refundStatuses } from '../entities/refund.ts';
import { type RefundRow, type ShownRefundStatus, shownAs } from './row.ts';

const REFUNDS =
  'select r.*, c.number, c.currency from refunds r join charges c on c.id = r.charge_id';

/** A tenant's own in its mode. Throws `not_found`. */
export async function findRefund(sql: Sql, { tenantId, mode }: Reader, id: string) {
  const [row] = await sql.query<RefundRow>(
    `${REFUNDS} where r.tenant_id = $1 and r.mode = $2 and r.id = $3`,
    [tenantId, mode, id],
  );
  if (!row) throw noSuchRefund();
  return row;
}

/** Refunds with this id at a provider. */
export function findRefundsByProviderId(
  sql: Sql,
  { tenantId, mode }: Reader,
  providerRefundId: string,
): Promise<RefundRow[]> {
  return sql.query<RefundRow>(
    `${REFUNDS} join connections o on o.id = r.connection_id
     where o.tenant_id = $1 and o.mode = $2 and r.provider_refund_id = $3 order by r.id desc`,
    [tenantId, mode, providerRefundId],
  );
}

export async function findAnyRefund(sql: Sql, id: string): Promise<RefundRow> {
  const [row] = await sql.query<RefundRow>(`${REFUNDS} where r.id = $1`, [id]);
  if (!row) throw new Error(`No refund ${id}.`);
  return row;
}

export function noSuchRefund(): Problem {
  return new Problem(
    'not_found',
    'There is no such refund in this mode. A live refund read with a test key is not found.',
  );
}

export interface RefundQuery {
  status: ShownRefundStatus | undefined;
  chargeNumber: number | undefined;
  before: string;
  limit: number;
}

/** Newest first, before an id. Each combination of filters is planned for its index. */
export function listRefunds(sql: Sql, { tenantId, mode }: Reader, query: RefundQuery) {
  const { status, chargeNumber, before, limit } = query;
  const values: unknown[] = [tenantId, mode, before, limit];
  const ofCharge =
    chargeNumber === undefined
      ? ''
      : ` and charge_id = (select id from charges where tenant_id = $1 and mode = $2
           and number = $${values.push(chargeNumber)})`;
  // Bounds on ids as in lists of charges: a page costs the same however many refunds match.
  const newest = (where: string, column: string, value: string) => `
    select * from refunds where tenant_id = $1 ${where}${ofCharge}
      and (${column}, id) < (${value}, $3) and (${column}, id) >= (${value}, '')
    order by ${column} desc, id desc limit $4`;
  const refunds =
    status === undefined
      ? newest('', 'mode', '$2')
      : `select of_status.*
           from unnest($${values.push(storedAs(status))}::text[]) as wanted (status),
           lateral (${newest('and mode = $2', 'refunds.status', 'wanted.status')}) of_status
           order by of_status.id desc limit $4`;
  return sql.query<RefundRow>(
    `select r.*, c.number, c.currency from (${refunds}) r join charges c on c.id = r.charge_id
     order by r.id desc`,
    values,
  );
}

/** How many refunds there are, and what goes back by them. */
export function totalOfRefunds(
  sql: Sql,
  { tenantId, mode }: Reader,
  { status, chargeNumber }: Pick<RefundQuery, 'status' | 'chargeNumber'>,
): Promise<Total> {
  const values: unknown[] = [tenantId, mode];
  const ofStatus = status ? ` and status = any($${values.push(storedAs(status))})` : '';
  const ofCharge =
    chargeNumber !== undefined
      ? ` and charge_id = (select id from charges where tenant_id = $1 and mode = $2
          and number = $${values.push(chargeNumber)})`
      : '';
  const rows = `select amount_kobo from refunds
    where tenant_id = $1 and mode = $2${ofStatus}${ofCharge}`;
  return totalOfRows(sql, rows, values);
}

function storedAs(shown: ShownRefundStatus): string[] {
  return refundStatuses.filter((status) => shownAs[status] === shown);
}

/** Refunds of every tenant that need a person, oldest first. */
export function listRefundsInNeed(sql: Sql, limit: number): Promise<RefundRow[]> {
  return sql.query<RefundRow>(
    `${REFUNDS} where r.attention is not null and r.status not in ('failed', 'reappeared')
     order by r.id limit $1`,
    [limit],
  );
}

/** For operators alone. Throws `not_found`. */
export async function ownerOfRefund(sql: Sql, id: string): Promise<Reader> {
  const [row] = isId('ref', id)
    ? await sql.query<Pick<RefundRow, 'tenant_id' | 'mode'>>(
        'select tenant_id, mode from refunds where id = $1',
        [id],
      )
    : [];
  if (!row) throw new Problem('not_found', `There is no refund ${id}.`);
  return { tenantId: row.tenant_id, mode: row.mode };
}
