import { type CountName, countNames } from './findings.ts';
import type { ChaosRecords } from './records.ts';
import { type Recoveries, recoveriesOf } from './recovery.ts';
import type { ChaosOptions, ChaosRun } from './run-chaos.ts';

/** The object of `--json`. */
export interface ChaosResult extends Record<CountName, number> {
  seed: number;
  seconds: number;
  charges: number;
  payments: number;
  refunds: number;
  /** Payments of another amount than was asked, reversed ones, and disputed ones. */
  wrong_amounts: number;
  reversals: number;
  disputes: number;
  events: number;
  /** Of payments that were notified in time, during or after any fault. */
  recovery_p99_ms: number | null;
  /** Of payments whose notification was dropped or found the service away. */
  unnotified_recovery_p99_ms: number | null;
  settled_after_ms: number;
  faults: Record<string, KindResult>;
  findings: string[];
}

export interface KindResult extends Recoveries {
  count: number;
}

/** Findings that are named one by one; the counts have all. */
const MOST_NAMED = 40;

export function resultOf({ seed, seconds }: ChaosOptions, run: ChaosRun): ChaosResult {
  const { faults, findings, records, settledInMs } = run;
  const counts = countNames.map((name) => [
    name,
    findings.filter(({ count }) => count === name).length,
  ]);
  const all = recoveriesOf(faults, records);
  const byKind = Map.groupBy(faults, ({ kind }) => kind);
  return {
    ...{ seed, seconds, charges: records.transactions.length },
    ...{ payments: records.payments.length, refunds: records.providerRefunds.length },
    wrong_amounts: wrongAmountsIn(records),
    reversals: records.payments.filter(({ takenKobo }) => takenKobo > 0).length,
    disputes: records.payments.filter(({ dispute }) => dispute !== null).length,
    events: records.events.length,
    ...(Object.fromEntries(counts) as Record<CountName, number>),
    recovery_p99_ms: all.recovery_p99_ms,
    unnotified_recovery_p99_ms: all.unnotified_recovery_p99_ms,
    settled_after_ms: settledInMs,
    faults: Object.fromEntries(
      [...byKind].map(([kind, each]) => [
        kind,
        { count: each.length, ...recoveriesOf(each, records) },
      ]),
    ),
    findings: findings.slice(0, MOST_NAMED).map(({ count, what }) => `${count}: ${what}`),
  };
}

function wrongAmountsIn({ captures, transactions }: ChaosRecords): number {
  const asked = new Map(transactions.map(({ reference, amountKobo }) => [reference, amountKobo]));
  return captures.filter(
    ({ chargeReference, amountKobo }) => asked.get(chargeReference) !== amountKobo,
  ).length;
}
