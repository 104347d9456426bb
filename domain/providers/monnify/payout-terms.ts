import { inLagos, lagosDay, nextBusinessDay } from '../../shared/lagos.ts';
import type { PayoutTerms } from '../payouts.ts';

/** The hour in Lagos at which Monnify pays out. */
const PAYOUT_HOUR = 22;

/**
 * Monnify pays out bank transfers at ten in the evening of their day, everything else on the next business day, and takes refunds out of
 * a wallet. (https://developers.monnify.com/docs/collections/settlements)
 */
export const payoutTerms: PayoutTerms = {
  listsSettlements: false,
  paidOutOn: (capturedAt, channel) =>
    channel === 'bank_transfer' ? transferDay(capturedAt) : nextBusinessDay(capturedAt),
  refundsFromPayouts: false,
};

function transferDay(capturedAt: Date): string {
  const at = inLagos(capturedAt);
  return lagosDay((at.hour < PAYOUT_HOUR ? at : at.plus({ days: 1 })).toJSDate());
}
