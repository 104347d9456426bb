import type { RowOf } from '../../shared/columns.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Dispute } from '../entities/dispute.ts';

/** A dispute with what people know its charge by. */
export type ListedDispute = RowOf<typeof Dispute> & {
  number: number;
  email: string;
  slot: string;
  charge_amount_kobo: number;
};

/** Disputes of a tenant, newest first: at most `limit`, with ids that sort before `before`. */
export function listDisputes(
  sql: Sql,
  { tenantId, mode }: Reader,
  { before, limit }: { before: string; limit: number },
): Promise<ListedDispute[]> {
  return sql.query<ListedDispute>(
    `select d.*, c.number, c.email, c.slot, c.amount_kobo as charge_amount_kobo
     from disputes d join charges c on c.id = d.charge_id
     where d.tenant_id = $1 and d.mode = $2 and d.id < $3
     order by d.id desc limit $4`,
    [tenantId, mode, before, limit],
  );
}
