import { type Actor, recordChange } from '../../accounts/audit-log/record-change.ts';
import { formatNaira } from '../../shared/money.ts';
import { Problem } from '../../shared/problems.ts';
import type { Tx } from '../../shared/tx.ts';
import { lockChargeOf } from '../charge/store.ts';
import { findDispute } from '../dispute/list.ts';
import { obstacleToResponse } from '../dispute-response/decide.ts';
import { findLiveResponse } from '../dispute-response/find.ts';
import type {
  DisputeResponseKind,
  DisputeResponseRow,
  ResponseContent,
} from '../dispute-response/row.ts';
import { insertResponse } from '../dispute-response/store.ts';
import { appendTimeline } from '../timeline/timeline.ts';

/**
 * Writes a response, which a worker sends. How the dispute ends is the provider's word. Throws
 * `not_found`, and `invalid_state` where the dispute takes none.
 */
export async function respondToDispute(
  tx: Tx,
  actor: Actor,
  {
    disputeId,
    ...given
  }: { disputeId: string; kind: DisputeResponseKind; content: ResponseContent },
): Promise<DisputeResponseRow> {
  const charge = await lockChargeOf(tx, 'dispute', disputeId);
  const dispute = await findDispute(tx.sql, actor, disputeId);
  const live = await findLiveResponse(tx.sql, disputeId);
  const obstacle = obstacleToResponse(dispute, live, tx.now);
  if (obstacle !== null) throw new Problem('invalid_state', obstacle);
  const requestedBy = actor.memberId ?? actor.subjectId;
  const response = await insertResponse(tx, dispute, { ...given, requestedBy });
  const amountKobo = dispute.amount_kobo;
  const { what, detail } = asked[given.kind];
  await appendTimeline(tx, charge!, [
    { what, detail: `${detail(formatNaira(amountKobo))} (${response.id}).`, amountKobo },
  ]);
  const about = `${formatNaira(amountKobo)} of SV-${dispute.number}`;
  const note = given.kind === 'acceptance' ? `: ${given.content.details}` : '';
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
