export const settlementStatuses = ['expected', 'landed', 'short', 'failed'] as const;
export type SettlementStatus = (typeof settlementStatuses)[number];

/** What can be found of a settlement: all of it landed, less than was expected did, or its provider gave it up. */
export type SettlementFact = 'landed' | 'landed short' | 'failed';

/**
 * Where each fact takes a settlement. One that failed may be paid out after all, and one that fell short be made up for. What landed and
 * was taken back has failed: its charges stay settled until another settlement holds them, and what is in none is missing again.
 */
export const settlementTransitions: Record<
  SettlementStatus,
  Partial<Record<SettlementFact, SettlementStatus>>
> = {
  expected: { landed: 'landed', 'landed short': 'short', failed: 'failed' },
  landed: { 'landed short': 'short', failed: 'failed' },
  short: { landed: 'landed', failed: 'failed' },
  failed: { landed: 'landed', 'landed short': 'short' },
};
