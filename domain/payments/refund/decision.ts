import type { ProviderRefund } from '../../providers/provider.ts';
import type { ChargeFact } from '../charge/facts.ts';
import type { TimelineEntry } from '../timeline/timeline.ts';
import type { RefundRow } from './row.ts';
import type { RefundStatus } from './transitions.ts';

/** What became known of a refund that is sent, or is to be. */
export type RefundNotice =
  | { type: 'stated'; refund: ProviderRefund }
  /** The provider did not take it and never will. */
  | { type: 'refused'; message: string }
  /** It was not sent, for the whole payment had gone back before. */
  | { type: 'nothing left'; message: string }
  /**
   * It may have been taken. `sendsAgain`: the provider pays one id once, so it may be sent again.
   */
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
  /**
   * A payment that is not the charge's has gone back: where all of it has, nothing is left to
   * decide.
   */
  | { type: 'resolve reviews of returned payment'; captureId: string }
  /** A bank may have taken the same money back. */
  | { type: 'check for money sent twice'; captureId: string };

export interface RefundDecision {
  status: RefundStatus;
  patch: RefundPatch;
  /** In the order in which they are written. */
  effects: RefundEffect[];
}

export function note(refund: RefundRow, what: string, detail: string): RefundEffect {
  return {
    type: 'append to timeline',
    entry: { what: `refund.${what}`, detail, amountKobo: refund.amount_kobo },
  };
}
