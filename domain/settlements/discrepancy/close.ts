import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { findDiscrepancy, noSuchDiscrepancy } from './find.ts';
import { discrepancyTransitions, whyNotClosed } from './machine.ts';
import type { DiscrepancyRow } from './row.ts';

/**
 * A person accepts a discrepancy as it is, and says why. Of many at once one does, and the audit log says who. Throws `not_found`, and
 * `invalid_state` for one that is not open any more.
 */
export async function closeDiscrepancy(
  tx: Tx,
  actor: Actor,
  { id, reason }: { id: string; reason: string },
): Promise<DiscrepancyRow> {
  const { status, kind, settlement_id: settlementId, reference } = await lock(tx, actor, id);
  const refusal = whyNotClosed(status);
  if (refusal !== undefined) throw new Problem('invalid_state', refusal);
  await tx.sql.query(
    'update discrepancies set status = $2, closed_by = $3, close_reason = $4, ended_at = $5 where id = $1',
    [id, discrepancyTransitions[status].closed, actor.memberId ?? actor.subjectId, reason, tx.now],
  );
  await recordChange(
    tx,
    actor,
    'discrepancy.closed',
    id,
    `${kind} of ${reference ?? settlementId}: ${reason}`,
  );
  return findDiscrepancy(tx.sql, actor, id);
}

type Locked = Pick<DiscrepancyRow, 'status' | 'kind' | 'settlement_id' | 'reference'>;

async function lock({ sql }: Tx, { tenantId, mode }: Actor, id: string): Promise<Locked> {
  const [row] = await sql.query<Locked>(
    'select status, kind, settlement_id, reference from discrepancies where id = $1 and tenant_id = $2 and mode = $3 for update',
    [id, tenantId, mode],
  );
  if (!row) throw noSuchDiscrepancy();
  return row;
}
