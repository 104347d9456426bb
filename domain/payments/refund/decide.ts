import type { ProviderRefund } from '../../providers/port/refund.ts';
import { follow } from '../../shared/transitions.ts';
import { comeBack, complete, completeOutside, fail } from './decide-ending.ts';
import {
  note,
  type RefundDecision,
  type RefundEffect,
  type RefundFact,
  type RefundPatch,
} from './decision.ts';
import type { RefundRow } from './row.ts';
import { nextLookupAt, nextRefundCheckAfterSilence, nextRefundCheckAt } from './schedule.ts';
import {
  isSent,
  isUnacknowledged,
  needsPerson,
  type RefundCause,
  type RefundStatus,
  refundTransitions,
} from './transitions.ts';

/** `appliedCaptureId`: the payment that paid the charge. Pure and total. */
export function decideRefund(
  refund: RefundRow,
  appliedCaptureId: string | null,
  fact: RefundFact,
  now: Date,
): RefundDecision {
  return withReview(refund, decideFact(refund, appliedCaptureId, fact, now));
}

/** Nobody asked for a system refund, so nobody else would look. */
function withReview(refund: RefundRow, decision: RefundDecision): RefundDecision {
  const { origin, capture_id: captureId, amount_kobo: amountKobo } = refund;
  const begins = needsPerson(decision.status) && !needsPerson(refund.status);
  if (origin !== 'system' || !begins) return decision;
  const message = decision.patch.attention!;
  const fact = { type: 'return unclear', captureId: captureId!, amountKobo, message } as const;
  return { ...decision, effects: [...decision.effects, { type: 'advance charge', fact }] };
}

function decideFact(
  refund: RefundRow,
  appliedCaptureId: string | null,
  fact: RefundFact,
  now: Date,
): RefundDecision {
  switch (fact.type) {
    case 'reported':
      return decideReported(refund, appliedCaptureId, fact.refund, now);
    case 'reversed':
      return complete(refund, appliedCaptureId, now);
    case 'returned outside':
      return completeOutside(refund, appliedCaptureId, fact.from, now);
    case 'refused':
      return fail(refund, appliedCaptureId, fact.message, { isReturned: false });
    case 'nothing left':
      return fail(refund, appliedCaptureId, fact.message, { isReturned: true });
    case 'unclear':
      return decideUnclear(refund, fact, now);
    case 'blocked':
      return checkAgain(after(refund, 'needs clearing up'), { attention: fact.reason }, now);
    case 'no answer':
      return checkAgain(
        after(refund, 'no answer'),
        { attention: refund.attention, at: atAfterSilence(refund, now) },
        now,
      );
  }
}

function decideReported(
  refund: RefundRow,
  appliedCaptureId: string | null,
  reported: ProviderRefund,
  now: Date,
): RefundDecision {
  const patch: RefundPatch = {
    provider_refund_id: refund.provider_refund_id ?? reported.providerRefundId,
    sent_at: refund.sent_at ?? now,
    accepted_at: refund.accepted_at ?? now,
  };
  const { providerRefundId } = reported;
  const isFirstId = refund.provider_refund_id === null;
  const isFirstAnswer = refund.accepted_at === null;
  const effects: RefundEffect[] = [
    ...(isFirstId ? [{ type: 'cancel second record', providerRefundId } as const] : []),
    ...(isFirstAnswer ? [note(refund, 'accepted', 'The provider took the refund.')] : []),
  ];
  const decision = decideState({ ...refund, ...patch }, appliedCaptureId, reported, now);
  return {
    ...decision,
    patch: { ...patch, ...decision.patch },
    effects: [...effects, ...decision.effects],
  };
}

function decideState(
  refund: RefundRow,
  appliedCaptureId: string | null,
  reported: ProviderRefund,
  now: Date,
): RefundDecision {
  switch (reported.state) {
    case 'completed':
      return complete(refund, appliedCaptureId, reported.completedAt ?? now);
    case 'failed': {
      const message = reported.message ?? 'The provider could not send the money back.';
      return refund.status === 'completed'
        ? comeBack(refund, appliedCaptureId, message)
        : fail(refund, appliedCaptureId, message, { isReturned: false });
    }
    default: {
      const attention = attentionOf(reported);
      const next = after(refund, attention === null ? 'accepted' : 'needs attention');
      return withAttentionNote(refund, checkAgain(next, { attention }, now), attention);
    }
  }
}

function attentionOf({ state, status, message }: ProviderRefund): string | null {
  if (state === 'attention')
    return message ?? 'It does not go on until somebody acts on it in the provider’s dashboard.';
  return state === 'unknown'
    ? `The provider reports the status "${status}", which this service does not know.`
    : null;
}

/**
 * Only a provider that pays one id once gets it again; any other is asked a few times, then a
 * person looks.
 */
function decideUnclear(
  refund: RefundRow,
  { message, sendsAgain }: { message: string; sendsAgain: boolean },
  now: Date,
): RefundDecision {
  const { status } = refund;
  if (!isSent(status)) return { status, patch: {}, effects: [] };
  if (sendsAgain) return checkAgain(after(refund, 'unclear'), { attention: null }, now);
  const lookupAt = needsPerson(status) ? null : nextLookupAt(refund.sent_at!, now);
  if (lookupAt) return checkAgain(after(refund, 'unclear'), { attention: null, at: lookupAt }, now);
  const maySucceed = isUnacknowledged(status);
  const attention = maySucceed ? LOOK_AT_PROVIDER : NOT_SHOWN;
  const next = after(refund, maySucceed ? 'needs clearing up' : 'needs attention');
  const detail = `What became of the refund is not known: ${message}. ${attention}`;
  return withAttentionNote(refund, checkAgain(next, { attention }, now), attention, detail);
}

const LOOK_AT_PROVIDER =
  'Whether the provider took this refund is not known, so it is not sent again. Look in the ' +
  'provider’s dashboard: when it is there, the service finds it by itself; when it is not, an ' +
  'operator can send it again or give it up.';
const NOT_SHOWN =
  'The provider took this refund and does not show it any more, so it is not sent again. Look in ' +
  'the provider’s dashboard.';
const TOO_LONG = 'The provider has not finished it in 20 days. Look in the provider’s dashboard.';

function after(refund: RefundRow, cause: RefundCause): RefundRow {
  return { ...refund, status: follow(refundTransitions, refund.status, cause) ?? refund.status };
}

/** Once. */
function withAttentionNote(
  refund: RefundRow,
  decision: RefundDecision,
  attention: string | null,
  detail = attention,
): RefundDecision {
  const isNew = detail !== null && attention !== refund.attention && needsPerson(decision.status);
  return isNew ? { ...decision, effects: [note(refund, 'attention', detail)] } : decision;
}

/** One that takes too long needs a person; one that had failed fails again. */
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

function atAfterSilence({ accepted_at: acceptedAt, sent_at: sentAt }: RefundRow, now: Date) {
  const since = acceptedAt ?? sentAt;
  return since && nextRefundCheckAfterSilence(since, now);
}

function stay(status: RefundStatus, attention: string | null, dueAt: Date | null): RefundDecision {
  const patch = { attention: needsPerson(status) ? attention : null, due_at: dueAt };
  return { status, patch, effects: [] };
}
