import type { ProviderRefund } from '../../providers/port/refund.ts';
import type { ChargeFact } from '../charge/facts.ts';
import type { TimelineEntry } from '../timeline/timeline.ts';
import type { RefundRow } from './row.ts';
import type { RefundStatus } from './transitions.ts';

/** What is reported of a refund that is sent, or about to be. */
export type RefundFact =
  /** The provider has it and says how it stands. */
  | { type: 'reported'; refund: ProviderRefund }
  /** The provider took the payment back by itself: `raw` is what it says of the payment. */
  | { type: 'reversed'; raw: string }
  /** The provider refused it for good. */
  | { type: 'refused'; message: string }
  /** It was not sent, because the whole payment had gone back before. */
  | { type: 'nothing left'; message: string }
  /**
   * The provider may have taken it. `sendsAgain`: the provider pays one id once, so it may be sent
   * again.
   */
  | { type: 'unclear'; message: string; sendsAgain: boolean }
  /** It cannot be sent again before somebody else has acted. */
  | { type: 'blocked'; reason: string }
  /** The provider did not answer when asked about it. */
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
  /** A refund recorded as begun at the provider is this one, recorded twice. */
  | { type: 'cancel second record'; providerRefundId: string }
  | { type: 'advance charge'; fact: ChargeFact }
  /** Sums the completed refunds of the charge's own payment again. */
  | { type: 'count refunds' }
  /** The same, after one that was counted came back. */
  | { type: 'count refunds less one'; captureId: string; amountKobo: number; detail: string }
  /** Where all of the payment went back, its reviews are resolved. */
  | { type: 'resolve reviews of returned payment'; captureId: string }
  /** What a person was to look at went back after all. */
  | { type: 'resolve review of return'; captureId: string }
  /** Every attempt that a provider may know of is verified now. */
  | { type: 'ask providers' }
  /** The payer's bank may have taken the same money back. */
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
