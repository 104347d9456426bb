import { DAY_MS } from '../../shared/units.ts';
import type { DisputeRow } from '../dispute/row.ts';
import type { DisputeResponseRow } from './row.ts';

/** Why a dispute takes no response by the API; null: it does. */
export function obstacleToResponse(
  dispute: Pick<DisputeRow, 'status' | 'respond_by' | 'provider_dispute_id'>,
  live: LiveResponse | undefined,
  now: Date,
): string | null {
  if (dispute.status !== 'open') return `The dispute was ${dispute.status} already.`;
  if (live?.status === 'sent') return `The dispute was answered already (${live.id}).`;
  if (live && live.status !== 'requested')
    return `An answer to the dispute is on its way already (${live.id}).`;
  if (dispute.respond_by !== null && dispute.respond_by <= now)
    return 'The time for an answer is over. The provider decides.';
  return dispute.provider_dispute_id === null ? AT_PROVIDER : null;
}

type LiveResponse = Pick<DisputeResponseRow, 'id' | 'status'>;

const AT_PROVIDER =
  'The provider takes no answer to this dispute from this service. Answer it in the provider’s ' +
  'dashboard.';

/** How its dispute stands at the provider, as far as it is known. */
export type Standing = 'awaits response' | 'answered' | 'lost' | 'not shown';

/** All but sending it. */
export type ResponseStep =
  | { type: 'end'; status: 'sent' }
  | { type: 'end'; status: 'refused'; message: string }
  | { type: 'retry'; reason: string };

/**
 * One that may have been sent is sent again only while the provider still waits for an answer, so
 * that it counts once.
 */
export function nextStep(
  response: DisputeResponseRow,
  standing: Standing,
  now: Date,
): ResponseStep | { type: 'send' } {
  switch (standing) {
    case 'awaits response':
      return { type: 'send' };
    case 'answered':
    case 'lost':
      if (response.status !== 'sending') return refusedWith(ANSWERED_THERE);
      return hasArrived(response, standing) ? ACCEPTED : refusedWith(LOST);
    case 'not shown':
      return retryOrGiveUp(response, 'the provider does not show the dispute', now);
  }
}

/** Of what may have been sent. Evidence wins a dispute; what is not answered in time is lost. */
export function hasArrived({ kind }: Pick<DisputeResponseRow, 'kind'>, standing: Standing) {
  return standing === 'answered' || (standing === 'lost' && kind === 'acceptance');
}

const LOST = 'The dispute was lost before the provider showed that it had the evidence.';

const ANSWERED_THERE = 'The dispute was answered, or decided, at the provider before.';

export const ACCEPTED = { type: 'end', status: 'sent' } as const satisfies ResponseStep;

export function refusedWith(message: string) {
  return { type: 'end', status: 'refused', message } as const satisfies ResponseStep;
}

const SENDABLE_MS = 7 * DAY_MS;

/** After a week a person decides anew. */
export function retryOrGiveUp(
  { approved_at: approvedAt }: Pick<DisputeResponseRow, 'approved_at'>,
  reason: string,
  now: Date,
): ResponseStep {
  return now.getTime() - approvedAt!.getTime() < SENDABLE_MS
    ? { type: 'retry', reason }
    : refusedWith(`It could not be sent for 7 days: ${reason}.`);
}
