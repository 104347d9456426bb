import type { ProviderRefund } from '../../providers/provider.ts';
import { formatNaira } from '../../shared/money.ts';
import { follow } from '../../shared/transitions.ts';
import type { ChargeFact } from '../charge/facts.ts';
import type { TimelineEntry } from '../timeline/timeline.ts';
import type { RefundRow } from './row.ts';
import { nextLookAt, nextRefundCheckAt } from './schedule.ts';
import { askedRefundStatuses, type RefundStatus, refundTransitions } from './transitions.ts';

/** What became known of a refund that is sent, or is to be. */
export type RefundNotice =
  | { type: 'stated'; refund: ProviderRefund }
  /** It surely was not and will not be taken. */
  | { type: 'refused'; message: string }
  /** It was not sent, for the whole payment had gone back before. */
  | { type: 'nothing left'; message: string }
  /** It may have been taken. `sendsAgain`: the provider pays one id once, so it may be sent again. */
  | { type: 'unclear'; message: string; sendsAgain: boolean }
  /** It cannot be sent again before somebody else has acted. */
  | { type: 'blocked'; reason: string }
  /** The provider did not answer a question about it. */
  | { type: 'no answer' };

/** Columns of the refund that a decision sets. */
export type RefundPatch = Partial<
  Pick<
    RefundRow,
    | 'attention'
    | 'due_at'
    | 'provider_refund_id'
    | 'sent_at'
    | 'accepted_at'
    | 'completed_at'
    | 'failure_message'
  >
>;

/** What follows from a decision besides the refund's own row. */
export type RefundEffect =
  | { type: 'append to timeline'; entry: TimelineEntry }
  | { type: 'publish'; event: 'refund.completed' | 'refund.failed' }
  /** A refund taken in as begun at the provider is this one, seen twice. */
  | { type: 'cancel twin'; providerRefundId: string }
  | { type: 'advance charge'; fact: ChargeFact }
  /** What completed refunds have sent back of the charge's own payment is counted anew. */
  | { type: 'count refunds' }
  /** A payment that is not the charge's has gone back: where all of it has, nothing is left to decide. */
  | { type: 'resolve reviews of returned payment'; captureId: string }
  /** A bank may have taken the same money back. */
  | { type: 'check for money sent twice'; captureId: string };

export interface RefundDecision {
  status: RefundStatus;
  patch: RefundPatch;
  /** In the order in which they are written. */
  effects: RefundEffect[];
}

/** Decides what a notice means for a refund whose charge was paid by the payment `appliedCaptureId`. Pure and total. */
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
      return checkAgain(unconfirmed(refund), { attention: notice.reason }, now);
    case 'no answer':
      return checkAgain(unconfirmed(refund), { attention: refund.attention }, now);
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
  const effects: RefundEffect[] = [
    ...(refund.provider_refund_id === null
      ? [{ type: 'cancel twin', providerRefundId } as const]
      : []),
    ...(refund.accepted_at === null
      ? [note(refund, 'accepted', 'The provider took the refund.')]
      : []),
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
      const fact = attention === null ? 'accepted' : 'needs attention';
      const status = follow(refundTransitions, refund.status, fact) ?? refund.status;
      const decision = checkAgain({ ...refund, status }, { attention }, now);
      const isNew = attention !== null && attention !== refund.attention;
      if (!isNew || status !== 'needs_attention') return decision;
      return { ...decision, effects: [note(refund, 'attention', attention)] };
    }
  }
}

function attentionOf({ state, status, message }: ProviderRefund): string | null {
  if (state === 'attention')
    return message ?? 'It stands still until somebody acts on it in the provider’s dashboard.';
  return state === 'unknown' ? `The provider states "${status}", which we do not know.` : null;
}

/** Where the outcome is open, nothing is sent again but to a provider that pays one id once. */
function decideUnclear(
  refund: RefundRow,
  { message, sendsAgain }: { message: string; sendsAgain: boolean },
  now: Date,
): RefundDecision {
  if (sendsAgain) return checkAgain(unconfirmed(refund), { attention: null }, now);
  const hasPerson = refund.attention !== null;
  const lookAt = hasPerson || refund.sent_at === null ? null : nextLookAt(refund.sent_at, now);
  if (lookAt) return checkAgain(unconfirmed(refund), { attention: null, at: lookAt }, now);
  const status = follow(refundTransitions, refund.status, 'needs attention') ?? refund.status;
  const decision = checkAgain({ ...refund, status }, { attention: LOOK_AT_PROVIDER }, now);
  if (refund.attention === LOOK_AT_PROVIDER) return decision;
  const detail = `What became of the refund is not known: ${message}. ${LOOK_AT_PROVIDER}`;
  return { ...decision, effects: [note(refund, 'attention', detail)] };
}

function unconfirmed(refund: RefundRow): RefundRow {
  const status = follow(refundTransitions, refund.status, 'unclear') ?? refund.status;
  return { ...refund, status };
}

const LOOK_AT_PROVIDER =
  'Whether the provider took this refund is not known, so it is not sent again. Look in the provider’s dashboard: when it is there, it is found by itself; when it is not, an operator can send it again or give it up.';
const TOO_LONG = 'The provider has not finished it in 20 days. Look in the provider’s dashboard.';

/** When the refund is asked about again; one that takes too long needs a person, and one that had failed before has failed. */
function checkAgain(
  refund: RefundRow,
  { attention, at = null }: { attention: string | null; at?: Date | null },
  now: Date,
): RefundDecision {
  const { status } = refund;
  if (!isAsked(status)) return { status, patch: {}, effects: [] };
  const dueAt = at ?? nextRefundCheckAt(refund.accepted_at ?? refund.sent_at ?? now, now);
  if (dueAt) return { status, patch: { attention, due_at: dueAt }, effects: [] };
  return {
    status: lateStatusOf(status),
    patch: { attention: attention ?? TOO_LONG, due_at: null },
    effects: [],
  };
}

function lateStatusOf(status: RefundStatus): RefundStatus {
  return (
    follow(refundTransitions, status, 'not finished in time') ??
    follow(refundTransitions, status, 'needs attention') ??
    status
  );
}

/** True while its provider is asked about it. */
export function isAsked(status: RefundStatus): boolean {
  return (askedRefundStatuses as readonly RefundStatus[]).includes(status);
}

function complete(
  refund: RefundRow,
  appliedCaptureId: string | null,
  completedAt: Date,
): RefundDecision {
  const status = follow(refundTransitions, refund.status, 'completed');
  if (status === undefined) return { status: refund.status, patch: {}, effects: [] };
  const isOwn = refund.origin !== 'system';
  const captureId = refund.capture_id!;
  const effects: RefundEffect[] = [
    note(
      refund,
      'completed',
      `${formatNaira(refund.amount_kobo)} went back to the payer (${refund.id}).`,
    ),
    ...(isOwn ? [{ type: 'publish', event: 'refund.completed' } as const] : []),
    ...(captureId !== appliedCaptureId
      ? [{ type: 'resolve reviews of returned payment', captureId } as const]
      : isOwn
        ? [{ type: 'count refunds' } as const]
        : []),
    { type: 'check for money sent twice', captureId },
  ];
  const patch = {
    failure_message: null,
    completed_at: completedAt,
    attention: null,
    due_at: null,
  };
  return { status, patch, effects };
}

/**
 * What failed before fails with no second event. The merchant has no event of what the service sends back by itself; a person sees it
 * instead, unless the money has gone back all the same.
 */
function fail(
  refund: RefundRow,
  message: string,
  { isReturned }: { isReturned: boolean },
): RefundDecision {
  const status = follow(refundTransitions, refund.status, 'failed');
  const patch = { attention: null, due_at: null };
  if (refund.status === 'failed' || refund.status === 'reappeared')
    return { status: 'failed', patch, effects: [] };
  if (status === undefined) return { status: refund.status, patch: {}, effects: [] };
  const { amount_kobo: amountKobo, id, capture_id: captureId } = refund;
  const isOwn = refund.origin !== 'system';
  const notReturned: ChargeFact = {
    type: 'not returned',
    captureId: captureId!,
    amountKobo,
    message,
  };
  const effects: RefundEffect[] = [
    note(refund, 'failed', `${formatNaira(amountKobo)} did not go back: ${message} (${id}).`),
    ...(isOwn ? [{ type: 'publish', event: 'refund.failed' } as const] : []),
    ...(isOwn || isReturned ? [] : [{ type: 'advance charge', fact: notReturned } as const]),
  ];
  return { status, patch: { ...patch, failure_message: message, completed_at: null }, effects };
}

function note(refund: RefundRow, what: string, detail: string): RefundEffect {
  return {
    type: 'append to timeline',
    entry: { what: `refund.${what}`, detail, amountKobo: refund.amount_kobo },
  };
}
