import { countNames } from './findings.ts';
import type { ChaosResult } from './report.ts';

/** Fault × what was lost × the worst recovery of these runs, as a Markdown table. */
export function matrixOf(results: readonly ChaosResult[]): string {
  const kinds = [...new Set(results.flatMap(({ faults }) => Object.keys(faults)))].sort();
  const head = '| Fault | Times | Lost, doubled, stuck | Payments | p99 | Unnotified | p99 |';
  const rows = kinds.map((kind) => lineOf(kind, results));
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

/** One kind of fault in all runs; lost is what the runs with it lost, of whatever fault it came. */
function lineOf(kind: string, results: readonly ChaosResult[]): string {
  const runs = results.filter(({ faults }) => faults[kind]);
  const of = runs.map(({ faults }) => faults[kind]!);
  const total = (name: 'count' | 'payments' | 'unnotified_payments') =>
    of.reduce((sum, result) => sum + result[name], 0);
  const worst = (name: 'recovery_p99_ms' | 'unnotified_recovery_p99_ms') => {
    const known = of.flatMap((result) => result[name] ?? []);
    return known.length === 0 ? '' : `${(Math.max(...known) / 1_000).toFixed(1)} s`;
  };
  const lost = runs.reduce((sum, result) => sum + lostIn(result), 0);
  const cells = [kind, total('count'), lost, total('payments'), worst('recovery_p99_ms')];
  const unnotified = [total('unnotified_payments'), worst('unnotified_recovery_p99_ms')];
  return `| ${[...cells, ...unnotified].join(' | ')} |`;
}
