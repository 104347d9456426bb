import { countNames } from './findings.ts';
import type { ChaosResult, KindResult } from './report.ts';

/** A row of the matrix: one kind of fault in all runs. */
interface Row {
  kind: string;
  times: number;
  payments: number;
  /** Of the runs with this fault, of whatever fault it came. */
  lost: number;
  p99Ms: number | null;
  unnotifiedPayments: number;
  unnotifiedP99Ms: number | null;
}

/** Fault × what was lost × the worst recovery of these runs, as a Markdown table. */
export function matrixOf(results: readonly ChaosResult[]): string {
  const kinds = [...new Set(results.flatMap(({ faults }) => Object.keys(faults)))].sort();
  const head = '| Fault | Times | Lost, doubled, stuck | Payments | p99 | Unnotified | p99 |';
  const rows = kinds.map((kind) => lineOf(rowOf(kind, results)));
  return [head, '|---|--:|--:|--:|--:|--:|--:|', ...rows].join('\n');
}

/** What is wrong after a run, however it shows. */
export function lostIn(result: ChaosResult): number {
  return countNames.reduce((sum, name) => sum + result[name], 0);
}

/** A text with the matrix between its markers made again. */
export function withMatrix(text: string, results: readonly ChaosResult[]): string {
  const seconds = results.map((result) => result.seconds);
  const span = [...new Set([Math.min(...seconds), Math.max(...seconds)])].join(' to ');
  const charges = results.reduce((sum, result) => sum + result.charges, 0);
  const seeds = results.map(({ seed }) => seed).join(', ');
  const title = `Seeds ${seeds}: ${results.length} runs of ${span} s, ${charges} charges.`;
  return text.replace(
    /(<!-- chaos -->\n)[\s\S]*?(<!-- \/chaos -->)/,
    (_whole, open, close) => `${open}${title}\n\n${matrixOf(results)}\n${close}`,
  );
}

function rowOf(kind: string, results: readonly ChaosResult[]): Row {
  const runs = results.filter(({ faults }) => faults[kind]);
  const of = runs.map(({ faults }) => faults[kind]!);
  const total = (read: (result: KindResult) => number) =>
    of.reduce((sum, result) => sum + read(result), 0);
  return {
    kind,
    times: total(({ count }) => count),
    payments: total(({ payments }) => payments),
    lost: runs.reduce((sum, result) => sum + lostIn(result), 0),
    p99Ms: worst(of.map((result) => result.recovery_p99_ms)),
    unnotifiedPayments: total((result) => result.unnotified_payments),
    unnotifiedP99Ms: worst(of.map((result) => result.unnotified_recovery_p99_ms)),
  };
}

function lineOf(row: Row): string {
  const { kind, times, lost, payments, p99Ms, unnotifiedPayments, unnotifiedP99Ms } = row;
  const cells = [kind, times, lost, payments, inSeconds(p99Ms), unnotifiedPayments];
  return `| ${[...cells, inSeconds(unnotifiedP99Ms)].join(' | ')} |`;
}

function worst(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function inSeconds(ms: number | null): string {
  return ms === null ? '' : `${(ms / 1_000).toFixed(1)} s`;
}
