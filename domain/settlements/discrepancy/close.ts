import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { findDiscrepancy, noSuchDiscrepancy } from './find.ts';
import type { DiscrepancyRow } from './row.ts';
import { closeRefusals, discrepancyTransitions, mayClose } from './transitions.ts';

/**
 * Closes a discrepancy that a person accepts, with the reason. Of concurrent calls one closes it,
 * and the audit log says who. Throws `not_found`, and `invalid_state` for one that is not open any
 * more.
 */
export async function closeDiscrepancy(
  tx: Tx,
  actor: Actor,
  { id, reason }: { id: string; reason: string },
): Promise<DiscrepancyRow> {
  const { status, kind, settlement_id: settlementId, reference } = await lock(tx, actor, id);
  if (!mayClose(status)) throw new Problem('invalid_state', closeRefusals[status]);
  await tx.sql.query(
    `update discrepancies set status = $2, closed_by = $3, close_reason = $4, ended_at = $5
     where id = $1`,
    [id, discrepancyTransitions[status].closed, actor.memberId ?? actor.subjectId, reason, tx.now],
  );
  const summary = `${kind} of ${reference ?? settlementId}: ${reason}`;
  await recordChange(tx, actor, 'discrepancy.closed', id, summary);
  return findDiscrepancy(tx.sql, actor, id);
}

type Locked = Pick<DiscrepancyRow, 'status' | 'kind' | 'settlement_id' | 'reference'>;

async function lock({ sql }: Tx, { tenantId, mode }: Actor, id: string): Promise<Locked> {
  const [row] = await sql.query<Locked>(
    `select status, kind, settlement_id, reference from discrepancies
     where id = $1 and tenant_id = $2 and mode = $3 for update`,
    [id, tenantId, mode],
  );
  if (!row) throw noSuchDiscrepancy();
  return row;
}
