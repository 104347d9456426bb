import type { SettlementCalls } from '../../domain/providers/port/provider.ts';

export const noSettlements: SettlementCalls = {
  listSettlements: async () => ({ rows: [], next: null }),
  listLines: async () => ({ rows: [], next: null }),
  findSettlement: async () => undefined,
  readSettlement: () => undefined,
  listPayments: async () => ({ rows: [], next: null }),
};
