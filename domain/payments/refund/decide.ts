import type { ProviderRefund } from '../../providers/provider.ts';
import { follow } from '../../shared/transitions.ts';
import { complete, fail } from './decide-ending.ts';
import {
  note,
  type RefundDecision,
  type RefundEffect,
  type RefundNotice,
  type RefundPatch,
} from './decision.ts';
import type { RefundRow } from './row.ts';
import { nextLookAt, nextRefundCheckAt } from './schedule.ts';
import {
  isSent,
  isUnacknowledged,
  type RefundFact,
  type RefundStatus,
  refundTransitions,
} from './transitions.ts';

/**
 * Decides what a notice means for a refund whose charge was paid by the payment
 * `appliedCaptureId`. Pure and total.
 */
export function decideRefund(
  refund: RefundRow,
  appliedCaptureId: string | null,
  notice: RefundNotice,
  now: Date,
): RefundDecision {
  switch (notice.type) {
    case 'stated':
      return decideStated(refund, appliedCaptureId, notice.refund, now);
    case 'refused':
      return fail(refund, notice.message, { isReturned: false });
    case 'nothing left':
      return fail(refund, notice.message, { isReturned: true });
    case 'unclear':
      return decideUnclear(refund, notice, now);
    case 'blocked':
      return checkAgain(after(refund, 'needs clearing up'), { attention: notice.reason }, now);
    case 'no answer':
      return checkAgain(after(refund, 'no answer'), { attention: refund.attention }, now);
  }
}

/** From here on the provider has it. */
function decideStated(
  refund: RefundRow,
  appliedCaptureId: string | null,
  stated: ProviderRefund,
  now: Date,
): RefundDecision {
  const patch: RefundPatch = {
    provider_refund_id: refund.provider_refund_id ?? stated.providerRefundId,
    sent_at: refund.sent_at ?? now,
    accepted_at: refund.accepted_at ?? now,
  };
  const { providerRefundId } = stated;
  const isFirstId = refund.provider_refund_id === null;
  const isFirstAnswer = refund.accepted_at === null;
  const effects: RefundEffect[] = [
    ...(isFirstId ? [{ type: 'cancel twin', providerRefundId } as const] : []),
    ...(isFirstAnswer ? [note(refund, 'accepted', 'The provider took the refund.')] : []),
  ];
  const decision = decideState({ ...refund, ...patch }, appliedCaptureId, stated, now);
  return {
    ...decision,
    patch: { ...patch, ...decision.patch },
    effects: [...effects, ...decision.effects],
  };
}

function decideState(
  refund: RefundRow,
  appliedCaptureId: string | null,
  stated: ProviderRefund,
  now: Date,
): RefundDecision {
  switch (stated.state) {
    case 'completed':
      return complete(refund, appliedCaptureId, stated.completedAt ?? now);
    case 'failed':
      return fail(refund, stated.message ?? 'The provider could not send the money back.', {
        isReturned: false,
      });
    default: {
      const attention = attentionOf(stated);
      const next = after(refund, attention === null ? 'accepted' : 'needs attention');
      return withAttentionNote(refund, checkAgain(next, { attention }, now), attention);
    }
  }
}

function attentionOf({ state, status, message }: ProviderRefund): string | null {
  if (state === 'attention')
    return message ?? 'It stands still until somebody acts on it in the provider’s dashboard.';
  return state === 'unknown' ? `The provider states "${status}", which we do not know.` : null;
}

/**
 * Where the outcome is open, nothing is sent again but to a provider that pays one id once. Any
 * other is asked a few times, and then a person has to look.
 */
function decideUnclear(
  refund: RefundRow,
  { message, sendsAgain }: { message: string; sendsAgain: boolean },
  now: Date,
): RefundDecision {
  const { status } = refund;
  if (!isSent(status)) return { status, patch: {}, effects: [] };
  if (sendsAgain) return checkAgain(after(refund, 'unclear'), { attention: null }, now);
  const lookAt = needsPerson(status) ? null : nextLookAt(refund.sent_at!, now);
  if (lookAt) return checkAgain(after(refund, 'unclear'), { attention: null, at: lookAt }, now);
  const isOpen = isUnacknowledged(status);
  const attention = isOpen ? LOOK_AT_PROVIDER : NOT_SHOWN;
  const next = after(refund, isOpen ? 'needs clearing up' : 'needs attention');
  const detail = `What became of the refund is not known: ${message}. ${attention}`;
  return withAttentionNote(refund, checkAgain(next, { attention }, now), attention, detail);
}

const LOOK_AT_PROVIDER =
  'Whether the provider took this refund is not known, so it is not sent again. Look in the provider’s dashboard: when it is there, it is found by itself; when it is not, an operator can send it again or give it up.';
const NOT_SHOWN =
  'The provider took this refund and does not show it any more, so it is not sent again. Look in the provider’s dashboard.';
const TOO_LONG = 'The provider has not finished it in 20 days. Look in the provider’s dashboard.';

/** The refund as it is after a fact. */
function after(refund: RefundRow, fact: RefundFact): RefundRow {
  return { ...refund, status: follow(refundTransitions, refund.status, fact) ?? refund.status };
}

/** True while it goes no further before a person acts. */
function needsPerson(status: RefundStatus): boolean {
  return status === 'unresolved' || status === 'needs_attention';
}

/** The timeline says once what a person has to do. */
function withAttentionNote(
  refund: RefundRow,
  decision: RefundDecision,
  attention: string | null,
  detail = attention,
): RefundDecision {
  const isNew = detail !== null && attention !== refund.attention && needsPerson(decision.status);
  return isNew ? { ...decision, effects: [note(refund, 'attention', detail)] } : decision;
}

/**
 * When the refund is asked about again; one that takes too long needs a person, and one that had
 * failed before has failed.
 */
function checkAgain(
  refund: RefundRow,
  { attention, at = null }: { attention: string | null; at?: Date | null },
  now: Date,
): RefundDecision {
  const { status } = refund;
  if (!isSent(status)) return { status, patch: {}, effects: [] };
  const dueAt = at ?? nextRefundCheckAt(refund.accepted_at ?? refund.sent_at!, now);
  if (dueAt) return stay(status, attention, dueAt);
  const late = after(refund, 'not finished in time').status;
  return stay(late, attention ?? (isUnacknowledged(late) ? LOOK_AT_PROVIDER : TOO_LONG), null);
}

function stay(status: RefundStatus, attention: string | null, dueAt: Date | null): RefundDecision {
  const patch = { attention: needsPerson(status) ? attention : null, due_at: dueAt };
  return { status, patch, effects: [] };
}
