import type { SettlementCalls } from '../../domain/providers/port/provider.ts';

/** A provider without settlements and payments. */
export const noSettlements: SettlementCalls = {
  listSettlements: async () => ({ rows: [], next: null }),
  listLines: async () => ({ rows: [], next: null }),
  findSettlement: async () => undefined,
  readSettlement: () => undefined,
  listPayments: async () => ({ rows: [], next: null }),
};
