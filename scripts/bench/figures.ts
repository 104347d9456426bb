import type { BenchRun } from './bench.ts';

export const median = (values: readonly number[]): number => percentile(values, 50);

/** Between two values where the rank falls between them. NaN of nothing. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort();
  const rank = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(rank)] ?? Number.NaN;
  const above = sorted[Math.ceil(rank)] ?? Number.NaN;
  return below + (above - below) * (rank % 1);
}

export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

export function roundedPercentile(values: readonly number[], percent: number, digits: number) {
  return rounded(percentile(values, percent), digits);
}

/** Asks each question once a round: what slows the machine for a while slows all of them. */
export async function inRounds<Name extends string, Answer>(
  { print, stopped }: BenchRun,
  rounds: number,
  questions: Readonly<Record<Name, (round: number) => Promise<Answer>>>,
  lineOf?: (answers: Record<Name, Answer>) => string,
): Promise<Record<Name, Answer>[]> {
  const answered: Record<Name, Answer>[] = [];
  for (let round = 0; round < rounds; round++) {
    const answers = {} as Record<Name, Answer>;
    for (const name of Object.keys(questions) as Name[]) {
      stopped.throwIfAborted();
      answers[name] = await questions[name](round);
    }
    answered.push(answers);
    if (lineOf) print(`Round ${round + 1}: ${lineOf(answers)}`);
  }
  return answered;
}

/** Durations without a hindrance and beside it, with the figures of the median round. */
export async function measureBeside(
  run: BenchRun,
  rounds: number,
  measures: Record<'alone' | 'beside', () => Promise<number[]>>,
) {
  const lineOf = ({ alone, beside }: Record<keyof typeof measures, number[]>) =>
    `99 % within ${p99(alone).toFixed(1)} ms alone, ${p99(beside).toFixed(1)} ms beside it`;
  const answered = await inRounds(run, rounds, measures, lineOf);
  const alone = answered.map((round) => round.alone);
  const beside = answered.map((round) => round.beside);
  const figures = {
    ratio: rounded(median(beside.map((ms, round) => p99(ms) / p99(alone[round]!))), 3),
    p99_ms: rounded(median(beside.map(p99)), 1),
    p99_alone_ms: rounded(median(alone.map(p99)), 1),
  };
  return { figures, alone, beside };
}

const p99 = (durationsMs: readonly number[]) => percentile(durationsMs, 99);
