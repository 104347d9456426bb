import type { BenchRun } from './bench.ts';
import { median, percentile, rounded } from './figures.ts';

/** Durations without a hindrance and beside it, measured in turn. */
export interface Beside {
  /** The figures that every such bench has, of the median round. */
  figures: { ratio: number; p99_ms: number; p99_alone_ms: number };
  alone: number[][];
  beside: number[][];
}

export async function measureBeside(
  { print }: BenchRun,
  rounds: number,
  measures: Record<'alone' | 'beside', () => Promise<number[]>>,
): Promise<Beside> {
  const alone: number[][] = [];
  const beside: number[][] = [];
  while (beside.length < rounds) {
    alone.push(await measures.alone());
    beside.push(await measures.beside());
    const [undisturbed, disturbed] = [alone.at(-1)!, beside.at(-1)!].map(p99);
    print(
      `Round ${beside.length}: 99 % within ${undisturbed!.toFixed(1)} ms alone, ${disturbed!.toFixed(1)} ms beside it`,
    );
  }
  const figures = {
    ratio: rounded(median(beside.map((ms, round) => p99(ms) / p99(alone[round]!))), 3),
    p99_ms: rounded(median(beside.map(p99)), 1),
    p99_alone_ms: rounded(median(alone.map(p99)), 1),
  };
  return { figures, alone, beside };
}

const p99 = (durationsMs: readonly number[]) => percentile(durationsMs, 99);
