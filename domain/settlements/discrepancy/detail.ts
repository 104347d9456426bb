import { formatNaira } from '../../shared/money.ts';
import type { DiscrepancyKind } from './machine.ts';

/** A difference as a comparison finds it. All kobo. */
export interface Difference {
  kind: DiscrepancyKind;
  subject: string;
  settlement_id: string | null;
  line_id: string | null;
  charge_id: string | null;
  reference: string | null;
  amount_kobo: number;
  difference_kobo: number;
  /** ISO date. */
  day: string;
  /** What we hold, and what the provider states, where both speak of it. */
  ours_kobo: number | null;
  theirs_kobo: number | null;
  /** Another settlement, where a payment was paid out before; an attempt of ours, where one is known. */
  other: string | null;
}

/** What differs, in a sentence, with what to do about it. */
export function detailOf(difference: Difference): string {
  const {
    kind,
    amount_kobo: amountKobo,
    ours_kobo: oursKobo,
    theirs_kobo: theirsKobo,
    other,
  } = difference;
  const amount = formatNaira(amountKobo);
  const pair = `${formatNaira(theirsKobo ?? 0)} where ${formatNaira(oursKobo ?? 0)}`;
  switch (kind) {
    case 'amount_mismatch':
      if (other !== null)
        return `The line pays ${amount} out again: settlement ${other} holds this payment. Ask the provider which one stands.`;
      return `The line says ${pair} was paid. Ask the provider for the difference.`;
    case 'fee_mismatch':
      return `The line takes a fee of ${pair} was stated when it was paid. Compare it with your agreed fees.`;
    case 'deduction_mismatch':
      return `The payout took ${pair} of refunds and chargebacks is known. The rest may be of your other business, or was begun at the provider.`;
    case 'missing':
      return `${amount} should have been paid out by now, and no settlement holds it. Ask the provider for this payment.`;
    case 'short':
      return `${amount} less reached the bank than this settlement adds up to. Compare the bank statement, then ask the provider.`;
    case 'surplus':
      return `${amount} more reached the bank than this settlement adds up to. It may make up for one that fell short.`;
    case 'never_notified':
      if (other === null)
        return `${amount} was paid under a reference in our form that is not on record here. Look whose it is.`;
      return `${amount} was paid and nobody told us. The provider is being asked about it.`;
    case 'unknown_at_provider':
      return `${amount} is on record as paid, and the provider knows no such payment any more. Ask the provider about it.`;
  }
}
