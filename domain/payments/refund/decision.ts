import type { ProviderRefund } from '../../providers/port/refund.ts';
import type { ChargeFact } from '../charge/facts.ts';
import type { TimelineEntry } from '../timeline/timeline.ts';
import type { RefundRow, RefundSource } from './row.ts';
import type { RefundStatus } from './transitions.ts';

export type RefundFact =
  | { type: 'reported'; refund: ProviderRefund }
  /** `raw`: what the provider says of the payment it took back. */
  | { type: 'reversed'; raw: string }
  | { type: 'refused'; message: string }
  /** Not through this service. */
  | { type: 'returned outside'; from: RefundSource }
  /** The whole payment had gone back before. */
  | { type: 'nothing left'; message: string }
  /** The provider may have taken it. `sendsAgain`: it pays one id once. */
  | { type: 'unclear'; message: string; sendsAgain: boolean }
  /** Somebody else has to act first. */
  | { type: 'blocked'; reason: string }
  | { type: 'no answer' };

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
    | 'paid_from'
    | 'deducted_kobo'
  >
>;

export type RefundEffect =
  | { type: 'append to timeline'; entry: TimelineEntry }
  | { type: 'publish'; event: 'refund.completed' | 'refund.failed' }
  /** One begun at the provider is this one, recorded twice. */
  | { type: 'cancel second record'; providerRefundId: string }
  | { type: 'advance charge'; fact: ChargeFact }
  | { type: 'count refunds' }
  /** One that was counted came back. */
  | { type: 'count refunds less one'; captureId: string; amountKobo: number; detail: string }
  /** Where all of it went back. */
  | { type: 'resolve reviews of returned payment'; captureId: string }
  /** What a person was to look at went back. */
  | { type: 'resolve review of return'; captureId: string }
  | { type: 'ask providers' }
  /** The payer's bank may have taken it too. */
  | { type: 'check for money sent twice'; captureId: string };

export interface RefundDecision {
  status: RefundStatus;
  patch: RefundPatch;
  effects: RefundEffect[];
}

export function note(refund: RefundRow, what: string, detail: string): RefundEffect {
  return {
    type: 'append to timeline',
    entry: { what: `refund.${what}`, detail, amountKobo: refund.amount_kobo },
  };
}
