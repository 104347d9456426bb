import { nextBusinessDay } from '../../shared/lagos.ts';
import type { PayoutTerms } from '../payouts.ts';

/** Paystack pays out on the next business day, and takes refunds and lost disputes out of it. (https://paystack.com/docs/api/settlement/) */
export const payoutTerms: PayoutTerms = {
  listsSettlements: true,
  paidOutOn: (capturedAt) => nextBusinessDay(capturedAt),
  refundsFromPayouts: true,
};
