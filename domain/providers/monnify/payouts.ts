import type { Payouts } from '../payouts.ts';
import { listPayments } from './payments.ts';
import type { Session } from './session.ts';
import { findSettlement, listLines, readSettlement } from './settlements.ts';

/** What Monnify says of the money it pays out. It has no list of settlements: it notifies of each, and names the one of a payment. */
export function monnifyPayouts(session: Session): Payouts {
  return {
    listSettlements: async () => ({ rows: [], next: null }),
    listLines: (query, options) => listLines(session, query, options),
    settlementOf: (providerPaymentId, options) =>
      findSettlement(session, providerPaymentId, options),
    readSettlement,
    listPayments: (query, options) => listPayments(session, query, options),
  };
}
