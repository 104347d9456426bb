import { setTimeout as pause } from 'node:timers/promises';
import type { BenchRun, Measured } from './bench.ts';
import { median, percentile, rounded } from './figures.ts';
import { ask, load, type Round, type Target } from './load.ts';
import { askSteadily } from './steady.ts';

/** The service and a baseline, measured in turn. */
export interface Comparison {
  rounds: { service: Round; baseline: Round }[];
  /**
   * Median over the rounds of service to baseline: what slows the machine for a while slows both.
   */
  ratio: number;
  serviceRps: number;
  baselineRps: number;
  p50Ms: number;
  p99Ms: number;
  /** Both at the same load, which both keep up with. */
  atEqualLoad: Both;
  /** Half of the requests that come alone. */
  alone: Both;
}

/** A duration in ms. */
interface Both {
  service: number;
  baseline: number;
}

/** Long enough for the compiler of V8 to settle: requests per second no longer rise after it. */
const WARM_UP_SECONDS = 4;
const ROUNDS = 5;
const ROUND_SECONDS = 4;
/**
 * The requests a round ends in the middle of are finished in this time, and not in the next round.
 */
const DRAIN_MS = 250;
const STEADY_ROUNDS = 3;
const EQUAL_LOAD = { rate: 1_000, seconds: 3 };
const ALONE = { rate: 20, seconds: 3 };

/** Warms both up, then asks them in turn, always the same way. */
export async function compare(
  service: Target,
  baseline: Target,
  { print, stopped }: BenchRun,
): Promise<Comparison> {
  const round = async (target: Target, seconds: number) => {
    const measured = await load(target, seconds, stopped);
    await pause(DRAIN_MS);
    return measured;
  };
  print('Warming up …');
  for (const target of [service, baseline]) {
    await ask(target);
    await round(target, WARM_UP_SECONDS);
  }
  const rounds: Comparison['rounds'] = [];
  while (rounds.length < ROUNDS) {
    const both = {
      service: await round(service, ROUND_SECONDS),
      baseline: await round(baseline, ROUND_SECONDS),
    };
    rounds.push(both);
    print(roundLine(both, rounds.length));
  }
  const steady = (offered: typeof ALONE, percent: number) =>
    inTurn({ service, baseline }, percent, (target) => askSteadily(target, offered, stopped));
  return {
    ...summarise(rounds),
    atEqualLoad: await steady(EQUAL_LOAD, 99),
    alone: await steady(ALONE, 50),
  };
}

/** Asks both in turn a few times; a percentile of all their durations. */
async function inTurn(
  targets: Record<keyof Both, Target>,
  percent: number,
  durationsOf: (target: Target) => Promise<number[]>,
): Promise<Both> {
  const service: number[] = [];
  const baseline: number[] = [];
  for (let round = 0; round < STEADY_ROUNDS; round++) {
    service.push(...(await durationsOf(targets.service)));
    baseline.push(...(await durationsOf(targets.baseline)));
  }
  return { service: percentile(service, percent), baseline: percentile(baseline, percent) };
}

/** The object of `--json`. */
export function resultOf(
  name: string,
  compared: Comparison,
  statementsPerRequest: number,
): Measured['result'] {
  return {
    name,
    ratio: rounded(compared.ratio, 3),
    service_rps: rounded(compared.serviceRps, 1),
    floor_rps: rounded(compared.baselineRps, 1),
    p50_ms: rounded(compared.p50Ms, 2),
    p99_ms: rounded(compared.p99Ms, 2),
    equal_load_rps: EQUAL_LOAD.rate,
    equal_load_p99_ms: rounded(compared.atEqualLoad.service, 2),
    floor_equal_load_p99_ms: rounded(compared.atEqualLoad.baseline, 2),
    alone_p50_ms: rounded(compared.alone.service, 2),
    floor_alone_p50_ms: rounded(compared.alone.baseline, 2),
    statements_per_request: rounded(statementsPerRequest, 2),
  };
}

/** The same for people. */
export function figuresOf(compared: Comparison): string[] {
  const { ratio, serviceRps, baselineRps, p50Ms, p99Ms, atEqualLoad, alone } = compared;
  return [
    `Ratio        ${ratio.toFixed(3)}   (median of the rounds' service to baseline)`,
    `Service      ${serviceRps.toFixed(0)} requests/s, half within ${p50Ms.toFixed(1)} ms, 99 % within ${p99Ms.toFixed(1)} ms`,
    `Baseline        ${baselineRps.toFixed(0)} requests/s`,
    `Equal load   at ${EQUAL_LOAD.rate} requests/s 99 % within ${atEqualLoad.service.toFixed(1)} ms, baseline ${atEqualLoad.baseline.toFixed(1)} ms`,
    `Alone        half within ${alone.service.toFixed(1)} ms, baseline ${alone.baseline.toFixed(1)} ms`,
  ];
}

function summarise(rounds: Comparison['rounds']): Omit<Comparison, 'atEqualLoad' | 'alone'> {
  const durationsMs = rounds.flatMap(({ service }) => service.durationsMs);
  return {
    rounds,
    ratio: median(rounds.map(({ service, baseline }) => service.rps / baseline.rps)),
    serviceRps: median(rounds.map(({ service }) => service.rps)),
    baselineRps: median(rounds.map(({ baseline }) => baseline.rps)),
    p50Ms: percentile(durationsMs, 50),
    p99Ms: percentile(durationsMs, 99),
  };
}

function roundLine({ service, baseline }: Comparison['rounds'][number], number: number): string {
  const rates = `service ${service.rps.toFixed(0)}/s, baseline ${baseline.rps.toFixed(0)}/s, ratio ${(service.rps / baseline.rps).toFixed(3)}`;
  const shares = [service, baseline].map(
    ({ generatorShare }) => `${Math.round(generatorShare * 100)} %`,
  );
  return `Round ${number}: ${rates} (the load generator used ${shares.join(' and ')} of a core)`;
}
