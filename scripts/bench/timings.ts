import type { BenchRun } from './bench.ts';

/** Something that is asked once in a round. */
export interface Question {
  /** Durations of the same name are put together. */
  name: string;
  /** Returns how long each answer took, in ms. */
  ask(): Promise<number[]>;
}

const WARM_UP_ROUNDS = 3;

/**
 * Asks every question of each round, one at a time: what slows the machine for a while slows
 * several of them. Returns the durations by name, without those of the warm-up.
 */
export async function timeRounds(
  { print, stopped }: BenchRun,
  rounds: number,
  questionsOf: (round: number) => readonly Question[],
): Promise<Map<string, number[]>> {
  const durations = new Map<string, number[]>();
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    if (round <= 0) print(round < 0 ? 'Warming up …' : `Measuring, ${rounds} rounds …`);
    for (const { name, ask } of questionsOf(round + WARM_UP_ROUNDS)) {
      stopped.throwIfAborted();
      const ms = await ask();
      if (round >= 0) durations.set(name, [...(durations.get(name) ?? []), ...ms]);
    }
  }
  return durations;
}
