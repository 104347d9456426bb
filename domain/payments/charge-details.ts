import type { RowOf } from '../shared/columns.ts';
import type { Sql } from '../shared/sql.ts';
import type { Vault } from '../shared/vault.ts';
import type { AttemptRow } from './attempt/row.ts';
import type { ChargeRow } from './charge/row.ts';
import type { Capture } from './entities/capture.ts';
import type { Dispute } from './entities/dispute.ts';
import type { Review } from './entities/review.ts';

export async function detailsOf(sql: Sql, chargeId: string) {
  const list = <Row>(table: string, columns = '*') =>
    sql.query<Row>(`select ${columns} from ${table} where charge_id = $1 order by id limit 200`, [
      chargeId,
    ]);
  const [attempts, captures, disputes, reviews] = await Promise.all([
    list<AttemptRow>('attempts'),
    list<RowOf<typeof Capture>>('captures'),
    list<RowOf<typeof Dispute>>('disputes'),
    list<RowOf<typeof Review>>('reviews'),
  ]);
  return { attempts, captures, disputes, reviews };
}

export async function evidenceOf(
  { sql, vault }: { sql: Sql; vault: Vault },
  { id, tenant_id, mode }: ChargeRow,
  sha256: string,
): Promise<string | undefined> {
  const [row] = await sql.query<{ payload: string }>(
    'select payload from evidence where charge_id = $1 and sha256 = $2 limit 1',
    [id, sha256],
  );
  return row && vault.open(row.payload, { table: 'evidence', row: id, tenant: tenant_id, mode });
}
