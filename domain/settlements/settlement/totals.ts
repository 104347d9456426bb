import type { DiscrepancyKind } from '../discrepancy/transitions.ts';
import type { Deductions } from './deductions.ts';
import type { LineSums } from './line-differences.ts';
import type { SettlementRow } from './row.ts';
import { type SettlementStatus, statusAfter } from './transitions.ts';

export type StatedSettlement = Pick<
  SettlementRow,
  | 'id'
  | 'status'
  | 'stated_amount_kobo'
  | 'stated_deductions_kobo'
  | 'expected_date'
  | 'landed_at'
  | 'expected_amount_kobo'
> & { stated_state: 'landed' | 'failed' };

export const totalColumns = [
  ...(['expected_amount_kobo', 'landed_amount_kobo', 'gross_kobo', 'fee_kobo'] as const),
  ...(['refunds_kobo', 'chargebacks_kobo', 'transaction_count'] as const),
  ...(['foreign_kobo', 'foreign_count'] as const),
];

type Totals = Record<(typeof totalColumns)[number], number>;

export interface WholeDifference {
  kind: DiscrepancyKind;
  differenceKobo: number;
  oursKobo: number | null;
  theirsKobo: number | null;
}

export interface Decision {
  status: SettlementStatus;
  totals: Partial<Totals>;
  landedAt: Date | null;
  differences: WholeDifference[];
  publishesLanded: boolean;
}

export function deductionsToExplain(stated: StatedSettlement, sums: LineSums): number {
  return stated.stated_deductions_kobo ?? sums.netKobo - landedKoboOf(stated, sums);
}

/** Unstated: what the lines add up to. */
function landedKoboOf(
  { stated_amount_kobo: amountKobo, stated_deductions_kobo: deductionsKobo }: StatedSettlement,
  { netKobo }: LineSums,
): number {
  return amountKobo ?? netKobo - (deductionsKobo ?? 0);
}

/** Expected by our records, landed by the bank. */
export function decideLanded(
  stated: StatedSettlement,
  sums: LineSums,
  { refundsKobo, chargebacksKobo }: Deductions,
  now: Date,
): Decision {
  const { grossKobo, feeKobo, foreignKobo, netKobo } = sums;
  const landedKobo = landedKoboOf(stated, sums);
  const knownKobo = refundsKobo + chargebacksKobo;
  const takenKobo = stated.stated_deductions_kobo ?? knownKobo;
  const shortKobo = netKobo - takenKobo - landedKobo;
  const expectedKobo = grossKobo - feeKobo - knownKobo + foreignKobo;
  const fact = expectedKobo > landedKobo ? 'landed short' : 'landed';
  return {
    status: statusAfter(stated.status, fact),
    totals: {
      expected_amount_kobo: expectedKobo,
      landed_amount_kobo: landedKobo,
      gross_kobo: grossKobo,
      fee_kobo: feeKobo,
      refunds_kobo: refundsKobo,
      chargebacks_kobo: chargebacksKobo,
      transaction_count: sums.count,
      foreign_kobo: foreignKobo,
      foreign_count: sums.foreignCount,
    },
    landedAt: stated.landed_at ?? now,
    differences: [
      {
        kind: 'deduction_mismatch',
        differenceKobo: takenKobo - knownKobo,
        oursKobo: knownKobo,
        theirsKobo: takenKobo,
      },
      whole('short', Math.max(0, shortKobo)),
      whole('surplus', Math.min(0, shortKobo)),
    ],
    publishesLanded: stated.status === 'expected' || stated.status === 'failed',
  };
}

export function decideFailed(stated: StatedSettlement): Decision {
  return {
    status: statusAfter(stated.status, 'failed'),
    totals: {
      expected_amount_kobo: stated.expected_amount_kobo || (stated.stated_amount_kobo ?? 0),
      landed_amount_kobo: 0,
    },
    landedAt: null,
    differences: [],
    publishesLanded: false,
  };
}

function whole(kind: DiscrepancyKind, differenceKobo: number): WholeDifference {
  return { kind, differenceKobo, oursKobo: null, theirsKobo: null };
}
