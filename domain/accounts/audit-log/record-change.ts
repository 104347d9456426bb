import { newId } from '../../shared/ids.ts';
import type { Mode, Reader } from '../../shared/reader.ts';
import type { Tx } from '../../shared/tx.ts';
import { AuditEntry } from '../entities/audit-entry.ts';

/** An action of a member, an API key or an operator. */
export interface AuditedAction {
  tenantId: string;
  /** Null for what concerns both modes, such as a member. */
  mode: Mode | null;
  /** The member, key or operator who did it: `mem_…`, `key_…`, `operator`. */
  actor: string;
  /** What was done, e.g. `api_key.revoked`. */
  action: string;
  /** The id of the object it was done to. */
  subjectId: string;
  detail?: string;
}

/** Records who did what, in the transaction that does it. */
export async function recordAudit(
  { em, now }: Pick<Tx, 'em' | 'now'>,
  { tenantId, mode, actor, action, subjectId, detail }: AuditedAction,
): Promise<void> {
  const id = newId('aud', now);
  em.create(AuditEntry, {
    id,
    tenant_id: tenantId,
    mode,
    at: now,
    actor,
    action,
    subject_id: subjectId,
    detail: detail ?? null,
  });
}

/** Who changes something of a tenant, in one mode: a member, or an API key. */
export interface Actor extends Reader {
  /** The API key, or the token family of a sign-in. */
  subjectId: string;
  /** Null for API keys. */
  memberId: string | null;
}

/** Records what a caller did to something of their own tenant and mode. */
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
