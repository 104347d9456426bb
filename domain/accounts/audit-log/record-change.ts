import { newId } from '../../shared/ids.ts';
import type { Reader } from '../../shared/reader.ts';
import type { Tx } from '../../shared/tx.ts';

/** Something a person or an operator did. */
export interface AuditEntry {
  tenantId: string;
  /** Null for what concerns both modes, such as a member. */
  mode: string | null;
  /** The member, key or operator who did it: `mem_…`, `key_…`, `operator`. */
  actor: string;
  /** What was done, e.g. `api_key.revoked`. */
  action: string;
  /** The id of what it was done to. */
  subjectId: string;
  detail?: string;
}

/** Writes down who did what, in the transaction that does it. */
export async function recordAudit(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  entry: AuditEntry,
): Promise<void> {
  const { tenantId, mode, actor, action, subjectId, detail = null } = entry;
  await sql.query(
    `insert into audit_entries (id, tenant_id, mode, at, actor, action, subject_id, detail) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [newId('aud', now), tenantId, mode, now, actor, action, subjectId, detail],
  );
}

/** Whoever changes something of a tenant, in one mode: a member, or an API key. */
export interface Actor extends Reader {
  /** The API key, or the family of tokens one sign-in began. */
  subjectId: string;
  /** Null for API keys. */
  memberId: string | null;
}

/** Writes down what a caller did to something of their own tenant and mode. */
export function recordChange(
  tx: Tx,
  actor: Actor,
  action: string,
  subjectId: string,
  detail?: string,
): Promise<void> {
  const { tenantId, mode, memberId, subjectId: credentialId } = actor;
  return recordAudit(tx, {
    tenantId,
    mode,
    actor: memberId ?? credentialId,
    action,
    subjectId,
    ...(detail ? { detail } : {}),
  });
}
