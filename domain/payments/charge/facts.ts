import type { Slot } from '../../shared/slot.ts';
import type { StatedCapture } from '../capture/capture.ts';

export type ChargeFact =
  | ({ type: 'captured' } & StatedCapture)
  | { type: 'opened'; slot: Slot; connectionId: string }
  | { type: 'refused' | 'declined' | 'expired' | 'cancelled'; message: string }
  /** Its payer tries again at that provider. */
  | { type: 'retried'; slot: string }
  /** Words that no table of ours holds: `status "frozen"`. */
  | { type: 'unclear'; words: string }
  /** `feeKobo`: what the payout took; null: not stated. */
  | { type: 'settled'; settledAt: Date; settlementId: string; feeKobo: number | null }
  /** The payout it was settled with failed, or was stated anew without it. */
  | { type: 'settled elsewhere'; settledAt: Date; settlementId: string; feeKobo: number | null }
  /** Sums of completed refunds of the charge's own money, so that they may be reported twice. */
  | { type: 'refunded'; totalKobo: number; paidKobo: number }
  /** `totalKobo`: what the others sent back; null: the payer's bank has the money all the same. */
  | {
      type: 'refund came back';
      captureId: string;
      amountKobo: number;
      detail: string;
      totalKobo: number | null;
    }
  /** A duplicate or excess could not be sent back. */
  | { type: 'not returned'; captureId: string; amountKobo: number; message: string }
  /** Nobody knows whether it was. */
  | { type: 'return unclear'; captureId: string; amountKobo: number; message: string }
  | { type: 'accepted'; capture: StatedCapture }
  | { type: 'dispute opened' | 'dispute won' | 'dispute lost' }
  /** It is about another payment, or contradicts what was decided. */
  | { type: 'dispute noted'; captureId: string; amountKobo: number | null; detail: string };

export function captureIn(fact: ChargeFact): StatedCapture | undefined {
  if (fact.type === 'accepted') return fact.capture;
  return fact.type === 'captured' ? fact : undefined;
}
