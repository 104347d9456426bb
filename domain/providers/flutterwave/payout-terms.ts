import { nextBusinessDay } from '../../shared/lagos.ts';
import type { PayoutTerms } from '../payouts.ts';

/** Flutterwave pays out on the next business day, whatever the channel. (https://developer.flutterwave.com/docs/settlements) */
export const payoutTerms: PayoutTerms = {
  listsSettlements: true,
  paidOutOn: (capturedAt) => nextBusinessDay(capturedAt),
  refundsFromPayouts: true,
};
