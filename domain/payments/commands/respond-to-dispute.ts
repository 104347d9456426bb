import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { formatNaira } from '../../shared/money.ts';
import { invalid, Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { lockChargeOf } from '../charge/store.ts';
import { findDispute } from '../dispute/list.ts';
import { obstacleToResponse } from '../dispute-response/decide.ts';
import { findLiveResponse } from '../dispute-response/find.ts';
import {
  type DisputeResponseKind,
  type DisputeResponseRow,
  evidenceTypeOf,
  type ResponseContent,
} from '../dispute-response/row.ts';
import { insertResponse } from '../dispute-response/store.ts';
import { appendTimeline } from '../timeline/timeline.ts';

export interface WantedResponse {
  disputeId: string;
  kind: DisputeResponseKind;
  content: ResponseContent;
  file?: Buffer | undefined;
}

/**
 * Writes a response, which a worker sends. How the dispute ends is the provider's word. Throws
 * `not_found`, `invalid_state` where the dispute takes none, and `validation_failed` naming `file`.
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
  const response = await insertResponse(tx, dispute, { kind, content, file, requestedBy });
  const amountKobo = dispute.amount_kobo;
  const { what, detail } = asked[kind];
  await appendTimeline(tx, charge!, [
    { what, detail: `${detail(formatNaira(amountKobo))} (${response.id}).`, amountKobo },
  ]);
  const about = `${formatNaira(amountKobo)} of SV-${dispute.number}`;
  const note = kind === 'acceptance' ? `: ${content.details}` : '';
  await recordChange(tx, actor, what, disputeId, about + note);
  return response;
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
} satisfies Record<DisputeResponseKind, { what: string; detail: (amount: string) => string }>;
