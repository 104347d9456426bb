import type { Payouts } from '../payouts.ts';
import type { PaystackCall } from './call.ts';
import { listPayments } from './payments.ts';
import { listLines, listSettlements } from './settlements.ts';

/** What Paystack says of the money it pays out. It lists its settlements, and notifies of none. */
export function paystackPayouts(call: PaystackCall): Payouts {
  return {
    listSettlements: (query, options) => listSettlements(call, query, options),
    listLines: (query, options) => listLines(call, query, options),
    settlementOf: async () => undefined,
    readSettlement: () => undefined,
    listPayments: (query, options) => listPayments(call, query, options),
  };
}
