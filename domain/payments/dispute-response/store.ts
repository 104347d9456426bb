import { newId } from '../../shared/ids.ts';
import { statement } from '../../shared/sql.ts';
import { statusesBefore, step } from '../../shared/transitions.ts';
import type { Tx } from '../../shared/tx.ts';
import type { DisputeRow } from '../dispute/row.ts';
import {
  type DisputeResponseKind,
  type DisputeResponseRow,
  evidenceTypeOf,
  ownerOfContent,
  type ResponseContent,
} from './row.ts';
import { disputeResponseTransitions } from './transitions.ts';

export interface NewResponse {
  kind: DisputeResponseKind;
  content: ResponseContent;
  file: Buffer | undefined;
  requestedBy: string;
  status: 'requested' | 'waiting';
}

/**
 * Due at once, unless a second Owner approves it first. The charge must be locked: a dispute has
 * one response that was not refused.
 */
export async function insertResponse(
  { sql, now, vault, enqueue }: Tx,
  dispute: DisputeRow,
  { kind, content, file, requestedBy, status }: NewResponse,
): Promise<DisputeResponseRow> {
  const id = newId('dre', now);
  const { tenant_id: tenantId, mode, connection_id: connectionId } = dispute;
  const owner = ownerOfContent({ id, tenant_id: tenantId, mode });
  const [row] = await insert(sql, {
    ...{ id, tenantId, mode, connectionId, kind, requestedBy, status, now },
    approvedAt: status === 'waiting' ? now : null,
    ...{ disputeId: dispute.id, chargeId: dispute.charge_id },
    content: vault.seal(JSON.stringify(content), owner),
    file: file ? vault.seal(file.toString('base64'), owner) : null,
    fileType: (file && evidenceTypeOf(file)) ?? null,
  });
  if (status === 'waiting') enqueue({ queue: 'dispute-respond', group: connectionId, id });
  return row!;
}

const insert = statement<DisputeResponseRow>(`
  insert into dispute_responses (id, tenant_id, mode, dispute_id, charge_id, connection_id, kind,
    content, file, file_type, status, requested_by, approved_at, due_at, created_at)
  values (:id, :tenantId, :mode, :disputeId, :chargeId, :connectionId, :kind,
    :content, :file, :fileType, :status, :requestedBy, :approvedAt, :approvedAt, :now) returning *`);

/** Approved by a second Owner: due at once. */
export async function approveResponse(
  { sql, now, enqueue }: Tx,
  { id, connection_id: group }: Pick<DisputeResponseRow, 'id' | 'connection_id'>,
): Promise<DisputeResponseRow> {
  const [row] = await sql.query<DisputeResponseRow>(
    `update dispute_responses set status = $2, approved_at = $3, due_at = $3
     where id = $1 returning *`,
    [id, step(disputeResponseTransitions, 'requested', 'approved'), now],
  );
  enqueue({ queue: 'dispute-respond', group, id });
  return row!;
}

/** Another answer is given instead. */
export async function withdrawResponse({ sql, now }: Tx, id: string): Promise<void> {
  await sql.query(
    `update dispute_responses set status = $2, failure_message = $3, finished_at = $4 where id = $1`,
    [id, step(disputeResponseTransitions, 'requested', 'refused'), WITHDRAWN, now],
  );
}

const WITHDRAWN = 'It was never sent: no second Owner approved it before another answer.';

type Claimed = Pick<DisputeResponseRow, 'id' | 'tries'>;

/** Before the call. False: another worker has claimed it since. */
export async function markResponseSending({ sql }: Pick<Tx, 'sql'>, { id, tries }: Claimed) {
  const begun = await sql.query(
    `update dispute_responses set status = $3 where id = $1 and tries = $2 and status = any($4)
     returning 1`,
    [id, tries, step(disputeResponseTransitions, 'waiting', 'begun'), before('begun')],
  );
  return begun.length > 0;
}

/** The provider surely has not got it, this time or before. */
export async function markResponseNotReached({ sql }: Pick<Tx, 'sql'>, { id, tries }: Claimed) {
  await sql.query(
    `update dispute_responses set status = $3 where id = $1 and tries = $2 and status = any($4)`,
    [id, tries, step(disputeResponseTransitions, 'sending', 'not reached'), before('not reached')],
  );
}

/** Undefined: it ended before, or another worker has claimed it since. */
export async function finishResponse(
  { sql, now }: Pick<Tx, 'sql' | 'now'>,
  { id, tries }: Claimed,
  { status, message }: { status: 'sent' | 'refused'; message: string | null },
): Promise<Pick<DisputeResponseRow, 'id' | 'kind'> | undefined> {
  const cause = status === 'sent' ? 'accepted' : 'refused';
  const [row] = await sql.query<Pick<DisputeResponseRow, 'id' | 'kind'>>(
    `update dispute_responses set status = $3, failure_message = $4, finished_at = $5,
       due_at = null, failures = 0
     where id = $1 and tries = $2 and status = any($6) returning id, kind`,
    [id, tries, status, message, now, before(cause)],
  );
  return row;
}

const before = (cause: Parameters<typeof statusesBefore>[1]) =>
  statusesBefore(disputeResponseTransitions, cause);
