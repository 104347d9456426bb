import type { RowOf } from '../../shared/columns.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Sql } from '../../shared/sql.ts';
import type { AuditEntry } from '../entities/audit-entry.ts';

export type AuditEntryRow = RowOf<typeof AuditEntry>;

/** Entries of this mode and of both whose id sorts before `before`, newest first. */
export function listAuditEntries(
  sql: Sql,
  { tenantId, mode }: Reader,
  { before, limit }: { before: string; limit: number },
): Promise<AuditEntryRow[]> {
  return sql.query<AuditEntryRow>(
    `select * from (${OF_MODE} union all ${OF_BOTH}) entries order by id desc limit $4`,
    [tenantId, mode, before, limit],
  );
}

/** The comparison of rows leaves the planner one index, also where few entries are of this mode. */
const OF_MODE = `
(select * from audit_entries
 where (tenant_id, mode, id) >= ($1, $2, '') and (tenant_id, mode, id) < ($1, $2, $3)
 order by tenant_id desc, mode desc, id desc limit $4)`;
const OF_BOTH = `
(select * from audit_entries where tenant_id = $1 and mode is null and id < $3
 order by id desc limit $4)`;
