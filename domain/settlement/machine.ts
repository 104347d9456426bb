export const settlementStatuses = ['expected', 'landed', 'short', 'failed'] as const;
export type SettlementStatus = (typeof settlementStatuses)[number];

/** What can be found of a settlement: all of it landed, less than was expected did, or its provider gave it up. */
export type SettlementFact = 'landed' | 'landed short' | 'failed';

/**
 * Where each fact takes a settlement. One that failed may be paid out after all, and one that fell short be made up for. What landed and
 * was taken back fell short of everything: its charges stay settled, and what is not there is a discrepancy.
 */
export const settlementTransitions: Record<SettlementStatus, Partial<Record<SettlementFact, SettlementStatus>>> = {
  expected: { landed: 'landed', 'landed short': 'short', failed: 'failed' },
  landed: { 'landed short': 'short', failed: 'short' },
  short: { landed: 'landed' },
  failed: { landed: 'landed', 'landed short': 'short' },
};
