import type { ProviderSettlement } from '../../providers/port/settlement.ts';
import type { settlementStatuses, settlementSteps } from '../entities/settlement.ts';

export type SettlementStatus = (typeof settlementStatuses)[number];

export type SettlementCause = 'landed' | 'landed short' | 'failed';

/**
 * A failed one may be paid out after all, the rest of a short one come. Charges of one taken back
 * stay settled until another holds them.
 */
export const settlementTransitions = {
  expected: { landed: 'landed', 'landed short': 'short', failed: 'failed' },
  landed: { 'landed short': 'short', failed: 'failed' },
  short: { landed: 'landed', failed: 'failed' },
  failed: { landed: 'landed', 'landed short': 'short' },
} as const satisfies Record<SettlementStatus, Partial<Record<SettlementCause, SettlementStatus>>>;

export function statusAfter(status: SettlementStatus, cause: SettlementCause): SettlementStatus {
  const moves: Partial<Record<SettlementCause, SettlementStatus>> = settlementTransitions[status];
  return moves[cause] ?? status;
}

export type SettlementStep = (typeof settlementSteps)[number];

export type StepCause =
  | 'stated landed'
  | 'stated failed'
  | 'stated pending'
  | 'stated unclear'
  | 'lines read'
  | 'line unclear'
  | 'lines unreadable'
  | 'due again'
  | 'totals computed'
  | 'payment changed';

const whenStated = {
  'stated landed': 'read_lines',
  'stated failed': 'compute_totals',
  'stated unclear': 'unreadable',
} as const;

export const stepTransitions = {
  forecast: whenStated,
  pending: whenStated,
  read_lines: {
    'stated failed': 'compute_totals',
    'stated unclear': 'unreadable',
    'lines read': 'compute_totals',
    'line unclear': 'unclear',
    'lines unreadable': 'unreadable',
  },
  unreadable: {
    'stated landed': 'read_lines',
    'stated failed': 'compute_totals',
    'stated pending': 'pending',
    'due again': 'read_lines',
  },
  unclear: { ...whenStated, 'due again': 'read_lines' },
  compute_totals: {
    'stated landed': 'read_lines',
    'stated pending': 'pending',
    'stated unclear': 'unreadable',
    'totals computed': 'reconciled',
  },
  reconciled: { ...whenStated, 'stated pending': 'pending', 'payment changed': 'compute_totals' },
} as const satisfies Record<SettlementStep, Partial<Record<StepCause, SettlementStep>>>;

export function stepAfterStatement(
  step: SettlementStep,
  state: ProviderSettlement['state'],
): SettlementStep {
  const moves: Partial<Record<StepCause, SettlementStep>> = stepTransitions[step];
  return moves[causeOf[state]] ?? step;
}

const causeOf: Record<ProviderSettlement['state'], StepCause> = {
  landed: 'stated landed',
  failed: 'stated failed',
  pending: 'stated pending',
  unknown: 'stated pending',
  unclear: 'stated unclear',
};
