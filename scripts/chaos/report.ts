import { type CountName, countNames } from './findings.ts';
import { outageOf } from './outages.ts';
import { recoveriesOf } from './recovery.ts';
import type { ChaosOptions, ChaosRun } from './run-chaos.ts';

/** The object of `--json`. */
export type ChaosResult = ReturnType<typeof resultOf>;

const MOST_NAMED = 40;

export function resultOf({ seed, seconds, rate }: ChaosOptions, run: ChaosRun) {
  const { faults, findings, records, answers, settledInMs } = run;
  const { transactions, captures, payments } = records;
  const asked = new Map(transactions.map(({ reference, amountKobo }) => [reference, amountKobo]));
  const countOf = (name: CountName) => findings.filter(({ count }) => count === name).length;
  const all = recoveriesOf(faults, records);
  const byKind = [...Map.groupBy(faults, ({ kind }) => kind)];
  return {
    ...{ seed, seconds, rate, charges: transactions.length },
    ...{ payments: payments.length, refunds: records.providerRefunds.length },
    wrong_amounts: captures.filter(
      ({ chargeReference, amountKobo }) => asked.get(chargeReference) !== amountKobo,
    ).length,
    reversals: payments.filter(({ takenKobo }) => takenKobo > 0).length,
    disputes: payments.filter(({ dispute }) => dispute !== null).length,
    events: records.events.length,
    ...(Object.fromEntries(countNames.map((name) => [name, countOf(name)])) as Record<
      CountName,
      number
    >),
    recovery_p99_ms: all.recovery_p99_ms,
    unnotified_recovery_p99_ms: all.unnotified_recovery_p99_ms,
    settled_after_ms: settledInMs,
    faults: Object.fromEntries(
      byKind.map(([kind, of]) => [kind, { count: of.length, ...recoveriesOf(of, records) }]),
    ),
    outages: faults.flatMap(({ saw, ...fault }) =>
      saw ? { kind: fault.kind, ...outageOf(fault, saw, answers, records) } : [],
    ),
    findings: findings.slice(0, MOST_NAMED).map(({ count, what }) => `${count}: ${what}`),
  };
}
