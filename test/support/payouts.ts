import type { Payouts } from '../../domain/providers/payouts.ts';

/** A provider without settlements and payments. */
export const noPayouts: Payouts = {
  listSettlements: async () => ({ rows: [], next: null }),
  listLines: async () => ({ rows: [], next: null }),
  settlementOf: async () => undefined,
  readSettlement: () => undefined,
  listPayments: async () => ({ rows: [], next: null }),
};
