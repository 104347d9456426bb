import { newId } from '../../shared/ids.ts';
import type { Mode, Reader } from '../../shared/reader.ts';
import type { Tx } from '../../shared/tx.ts';
import { AuditEntry } from '../entities/audit-entry.ts';

export interface AuditedAction {
  tenantId: string;
  mode: Mode | null;
  actor: string;
  action: string;
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

export interface Actor extends Reader {
  subjectId: string;
  /** Null for API keys. */
  memberId: string | null;
}

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
