import type { ProviderSettlement, SettlementLine } from '../port/settlement.ts';
import { clearOr } from './read.ts';

/**
 * A line of a settlement. Where its amounts are not clear it says why: whether that matters depends
 * on whose payment it is, and the other lines count all the same.
 */
export function lineOf(
  named: Pick<SettlementLine, 'providerPaymentId' | 'reference'>,
  readAmounts: () => Pick<SettlementLine, 'amountKobo' | 'feeKobo'>,
): SettlementLine {
  const amounts = clearOr(readAmounts, (unclear) => ({ amountKobo: 0, feeKobo: null, unclear }));
  return { ...named, ...amounts };
}

/**
 * The state and amounts of a settlement. Where the amounts of one that landed are not clear it is
 * `unclear` and says why; before that they do not matter.
 */
export function statedAs(
  state: ProviderSettlement['state'],
  readAmounts: () => Pick<ProviderSettlement, 'amountKobo' | 'deductionsKobo'>,
): Pick<ProviderSettlement, 'state' | 'amountKobo' | 'deductionsKobo' | 'unclear'> {
  const none = { amountKobo: null, deductionsKobo: null };
  return clearOr(
    () => ({ state, ...readAmounts() }),
    (unclear) => (state === 'landed' ? { state: 'unclear', ...none, unclear } : { state, ...none }),
  );
}

export const FOREIGN_CURRENCY = 'a payment of a settlement is not in naira';
