import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { RefundRow } from './row.ts';
import type { RefundStatus } from './transitions.ts';

const REFUNDS =
  'select r.*, c.number, c.currency from refunds r join charges c on c.id = r.charge_id where r.tenant_id = $1 and r.mode = $2';

/** The refund with this id. Throws `not_found` when there is none of this tenant in this mode. */
export async function findRefund(
  sql: Sql,
  { tenantId, mode }: Reader,
  id: string,
): Promise<RefundRow> {
  const [row] = await sql.query<RefundRow>(`${REFUNDS} and r.id = $3`, [tenantId, mode, id]);
  if (!row) throw noSuchRefund();
  return row;
}

export function noSuchRefund(): Problem {
  return new Problem(
    'not_found',
    'There is no such refund in this mode. A live refund read with a test key is not found.',
  );
}

/** Which refunds of a list: newest first, at most `limit`, with ids that sort before `before`. */
export interface RefundQuery {
  status: RefundStatus | undefined;
  /** The SV number of their charge. */
  chargeNumber: number | undefined;
  before: string;
  limit: number;
}

/** The tenant's refunds in this mode. Each combination of filters is a text of its own, planned for the index that serves it. */
export function listRefunds(
  sql: Sql,
  { tenantId, mode }: Reader,
  query: RefundQuery,
): Promise<RefundRow[]> {
  const { status, chargeNumber, before, limit } = query;
  const values: unknown[] = [tenantId, mode, before, limit];
  const ofStatus = status === undefined ? '' : ` and r.status = $${values.push(status)}`;
  const ofCharge =
    chargeNumber === undefined
      ? ''
      : ` and r.charge_id = (select id from charges where number = $${values.push(chargeNumber)})`;
  return sql.query<RefundRow>(
    `${REFUNDS} and r.id < $3${ofStatus}${ofCharge} order by r.id desc limit $4`,
    values,
  );
}
