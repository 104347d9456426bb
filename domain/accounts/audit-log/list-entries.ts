import type { RowOf } from '../../shared/columns.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { AuditEntry } from '../entities/audit-entry.ts';

export type AuditEntryRow = RowOf<typeof AuditEntry>;

/**
 * What people and operators did in a business, newest first: in this mode, or concerning both. At
 * most `limit`, with ids that sort before `before`.
 */
export function listAuditEntries(
  sql: Sql,
  { tenantId, mode }: Reader,
  { before, limit }: { before: string; limit: number },
): Promise<AuditEntryRow[]> {
  return sql.query<AuditEntryRow>(
    `select * from audit_entries
     where tenant_id = $1 and id < $3 and (mode is null or mode = $2)
     order by id desc limit $4`,
    [tenantId, mode, before, limit],
  );
}
