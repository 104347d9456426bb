import { LockMode } from '@mikro-orm/core';
import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { lockAccount } from '../account/account.ts';
import { Discrepancy } from '../entities/discrepancy.ts';
import { findDiscrepancy, noSuchDiscrepancy } from './find.ts';
import { postDifferences } from './post-differences.ts';
import type { DiscrepancyRow } from './row.ts';
import { closeRefusals, discrepancyTransitions, mayClose } from './transitions.ts';

/**
 * What it is about is written off. Of concurrent calls one closes it. Throws `not_found`, and
 * `invalid_state`.
 */
export async function closeDiscrepancy(
  tx: Tx,
  actor: Actor,
  { id, reason }: { id: string; reason: string },
): Promise<DiscrepancyRow> {
  const { tenantId, mode } = actor;
  const row = await tx.em.findOne(Discrepancy, { id, tenant_id: tenantId, mode });
  if (!row) throw noSuchDiscrepancy();
  const { connection_id: connectionId } = row;
  await lockAccount(tx, { id: connectionId });
  await tx.em.refresh(row, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const { status, kind, settlement_id: settlementId, reference, subject } = row;
  if (!mayClose(status)) throw new Problem('invalid_state', closeRefusals[status]);
  Object.assign(row, {
    status: discrepancyTransitions[status].closed,
    closed_by: actor.memberId ?? actor.subjectId,
    close_reason: reason,
    ended_at: tx.now,
  });
  const summary = `${kind} of ${reference ?? settlementId ?? subject}: ${reason}`;
  await recordChange(tx, actor, 'discrepancy.closed', id, summary);
  await tx.em.flush();
  if (settlementId !== null) {
    const owner = { tenantId, mode, connectionId };
    await postDifferences(tx, owner, { settlementId, landedAt: tx.now });
  }
  return findDiscrepancy(tx.sql, actor, id);
}
