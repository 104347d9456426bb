import type { RowOf } from '../../shared/columns.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { Dispute } from '../entities/dispute.ts';

/** A dispute with what people know its charge by. */
export type ListedDispute = RowOf<typeof Dispute> & {
  number: number;
  email: string;
  slot: string;
};

/**
 * Disputes of a tenant, newest first: at most `limit`, with ids that sort before `before`. Charges
 * are read one by one: PostgreSQL, which does not know the limit, would read all of them.
 */
export function listDisputes(
  sql: Sql,
  { tenantId, mode }: Reader,
  { before, limit }: { before: string; limit: number },
): Promise<ListedDispute[]> {
  return sql.query<ListedDispute>(
    `select d.*, c.number, c.email, c.slot
     from (
       select * from disputes where tenant_id = $1 and mode = $2 and id < $3
       order by id desc limit $4) d
     join charges c on c.id = d.charge_id
     order by d.id desc`,
    [tenantId, mode, before, limit],
  );
}
