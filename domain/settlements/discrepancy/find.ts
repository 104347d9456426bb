import { Problem } from '../../shared/problems.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { DiscrepancyRow } from './row.ts';
import type { DiscrepancyKind, DiscrepancyStatus } from './transitions.ts';

export const discrepanciesFrom = (source: string) => `
select d.*, case when l.id is not null then json_build_object(
  'provider_payment_id', l.provider_payment_id, 'reference', l.reference,
  'amount_kobo', l.amount_kobo, 'fee_kobo', l.fee_kobo) end as line
from ${source} d left join settlement_lines l on l.id = d.line_id`;

export async function findDiscrepancy(sql: Sql, { tenantId, mode }: Reader, id: string) {
  const [row] = await sql.query<DiscrepancyRow>(
    `${discrepanciesFrom('discrepancies')} where d.tenant_id = $1 and d.mode = $2 and d.id = $3`,
    [tenantId, mode, id],
  );
  if (!row) throw noSuchDiscrepancy();
  return row;
}

export function noSuchDiscrepancy(): Problem {
  return new Problem(
    'not_found',
    'There is no such discrepancy in this mode. ' +
      'A live discrepancy read with a test key is not found.',
  );
}

/** For operators only. */
export async function ownerOfDiscrepancy(sql: Sql, id: string): Promise<Reader> {
  const [row] = await sql.query<Pick<DiscrepancyRow, 'tenant_id' | 'mode'>>(
    'select tenant_id, mode from discrepancies where id = $1',
    [id],
  );
  if (!row) throw new Problem('not_found', `There is no discrepancy ${id}.`);
  return { tenantId: row.tenant_id, mode: row.mode };
}

export interface EveryDiscrepancy {
  status: DiscrepancyStatus | undefined;
  kind: DiscrepancyKind | undefined;
  tenantId: string | undefined;
  before: string;
  limit: number;
}

/** For operators only: where few match, all are read. */
export function listAllDiscrepancies(sql: Sql, query: EveryDiscrepancy): Promise<DiscrepancyRow[]> {
  const { status = null, kind = null, tenantId = null, before, limit } = query;
  return sql.query<DiscrepancyRow>(
    `${discrepanciesFrom('discrepancies')}
     where d.id < $1 and ($2::text is null or d.status = $2)
       and ($3::text is null or d.kind = $3) and ($4::text is null or d.tenant_id = $4)
     order by d.id desc limit $5`,
    [before, status, kind, tenantId, limit],
  );
}
