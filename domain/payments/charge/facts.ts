import type { Slot } from '../../shared/slot.ts';
import type { StatedCapture } from '../capture/capture.ts';

/** Everything that can be reported about a charge. */
export type ChargeFact =
  | ({ type: 'captured' } & StatedCapture)
  | { type: 'opened'; slot: Slot; connectionId: string }
  | { type: 'refused' | 'declined' | 'expired' | 'cancelled'; message: string }
  /** The provider used words that no table of ours holds: `status "frozen"`. */
  | { type: 'unclear'; words: string }
  /** `feeKobo` is what the payout took for it; null where it is not stated. */
  | { type: 'settled'; settledAt: Date; settlementId: string; feeKobo: number | null }
  /**
   * Another payout than the one it was settled with holds the charge's own payment now: that one
   * failed, or was stated anew without it.
   */
  | { type: 'settled elsewhere'; settledAt: Date; settlementId: string; feeKobo: number | null }
  /**
   * Everything completed refunds have sent back of the charge's own money so far, of what was paid:
   * sums, so that they may be reported twice.
   */
  | { type: 'refunded'; totalKobo: number; paidKobo: number }
  /**
   * A completed refund of the charge's own payment came back, as the sentence says. `totalKobo` is
   * what the others sent back; null: the payer's bank has the money all the same.
   */
  | {
      type: 'refund came back';
      captureId: string;
      amountKobo: number;
      detail: string;
      totalKobo: number | null;
    }
  /** A duplicate, or what was too much, could not be sent back to the payer. */
  | { type: 'not returned'; captureId: string; amountKobo: number; message: string }
  /** The same, and nobody knows whether it was: a person has to look, as the message says. */
  | { type: 'return unclear'; captureId: string; amountKobo: number; message: string }
  /** A person accepts a payment on hold as the charge's own. */
  | { type: 'accepted'; capture: StatedCapture }
  | { type: 'dispute opened' | 'dispute won' | 'dispute lost' }
  /**
   * A dispute that does not move the charge, in a sentence: it is about another payment, or
   * contradicts what was decided.
   */
  | { type: 'dispute noted'; captureId: string; amountKobo: number | null; detail: string };

/** The payment a fact brings to the charge. */
export function captureIn(fact: ChargeFact): StatedCapture | undefined {
  if (fact.type === 'accepted') return fact.capture;
  return fact.type === 'captured' ? fact : undefined;
}
