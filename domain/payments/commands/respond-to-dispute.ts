import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { formatNaira } from '../../shared/money.ts';
import { invalid, Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { lockChargeOf } from '../charge/store.ts';
import { findDispute } from '../dispute/list.ts';
import type { DisputeRow } from '../dispute/row.ts';
import { obstacleToResponse } from '../dispute-response/decide.ts';
import { findLiveResponse } from '../dispute-response/find.ts';
import {
  type DisputeResponseKind,
  type DisputeResponseRow,
  evidenceTypeOf,
  type ResponseContent,
} from '../dispute-response/row.ts';
import { approveResponse, insertResponse, withdrawResponse } from '../dispute-response/store.ts';
import { approvalOfReturn, mailSecondOwners, type Return } from '../refund/approve-return.ts';
import { appendTimeline } from '../timeline/timeline.ts';

export interface WantedResponse {
  disputeId: string;
  kind: DisputeResponseKind;
  content: ResponseContent;
  file?: Buffer | undefined;
}

/**
 * Writes a response, which a worker sends. An acceptance is only requested where the business wants
 * a second Owner for it; the second one's approves it. How the dispute ends is the provider's word.
 * Throws `not_found`, `forbidden` where others have to accept it, `invalid_state` where the dispute
 * takes none, and `validation_failed` naming `file`.
 */
export async function respondToDispute(
  tx: Tx,
  actor: Actor,
  { disputeId, kind, content, file }: WantedResponse,
): Promise<DisputeResponseRow> {
  if (file && evidenceTypeOf(file) === undefined)
    throw invalid({ file: 'must be a PDF, a JPEG or a PNG picture' });
  const charge = await lockChargeOf(tx, 'dispute', disputeId);
  const dispute = await findDispute(tx.sql, actor, disputeId);
  const live = await findLiveResponse(tx.sql, disputeId);
  const obstacle = obstacleToResponse(dispute, live, tx.now);
  if (obstacle !== null) throw new Problem('invalid_state', obstacle);
  const requestedBy = actor.memberId ?? actor.subjectId;
  const status = kind === 'evidence' ? 'waiting' : await statusOf(tx, actor, dispute, live);
  const isSecond = live !== undefined && kind === 'acceptance' && status === 'waiting';
  if (live && !isSecond) await withdrawResponse(tx, live.id);
  const response = isSecond
    ? await approveResponse(tx, live)
    : await insertResponse(tx, dispute, { kind, content, file, requestedBy, status });
  const amountKobo = dispute.amount_kobo;
  const { what, detail } = asked[status === 'requested' ? 'request' : kind];
  await appendTimeline(tx, charge!, [
    { what, detail: `${detail(formatNaira(amountKobo))} (${response.id}).`, amountKobo },
  ]);
  const about = `${formatNaira(amountKobo)} of SV-${dispute.number}`;
  const note = kind === 'acceptance' ? `: ${content.details}` : '';
  await recordChange(tx, actor, what, disputeId, about + note);
  if (status === 'requested') await mailSecondOwners(tx, actor, disputeId);
  return response;
}

/** Of an acceptance. */
async function statusOf({ sql }: Tx, actor: Actor, ...about: Parameters<typeof acceptanceOf>) {
  const { approval, refusal } = await approvalOfReturn(sql, actor, acceptanceOf(...about));
  if (refusal) throw refusal;
  return approval === 'first of two' ? 'requested' : 'waiting';
}

/** `live`: the acceptance that waits for a second Owner. */
export function acceptanceOf(
  { id, amount_kobo: amountKobo }: DisputeRow,
  live: Pick<DisputeResponseRow, 'requested_by'> | undefined,
): Return {
  return { of: 'disputes', id, amountKobo, firstApprovedBy: live?.requested_by ?? null };
}

const asked = {
  evidence: {
    what: 'dispute.evidence_given',
    detail: (amount) => `Evidence against the dispute about ${amount} waits to be sent`,
  },
  acceptance: {
    what: 'dispute.accepted',
    detail: (amount) => `The dispute about ${amount} is accepted, which waits to be sent`,
  },
  request: {
    what: 'dispute.first_accepted',
    detail: (amount) => `The first of two Owners accepted the dispute about ${amount}`,
  },
} satisfies Record<
  DisputeResponseKind | 'request',
  { what: string; detail: (amount: string) => string }
>;
