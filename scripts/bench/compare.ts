import { setTimeout as pause } from 'node:timers/promises';
import type { BenchRun, Measured } from './bench.ts';
import { median, percentile, rounded } from './figures.ts';
import { ask, load, type Round, type Target } from './load.ts';

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
}

/** Long enough for the compiler of V8 to settle: requests per second no longer rise after it. */
const WARM_UP_SECONDS = 4;
const ROUNDS = 5;
const ROUND_SECONDS = 4;
/**
 * The requests a round ends in the middle of are finished in this time, and not in the next round.
 */
const DRAIN_MS = 250;

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
  return summarise(rounds);
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
    statements_per_request: rounded(statementsPerRequest, 2),
  };
}

/** The same for people. */
export function figuresOf({ ratio, serviceRps, baselineRps, p50Ms, p99Ms }: Comparison): string[] {
  return [
    `Ratio        ${ratio.toFixed(3)}   (median of the rounds' service to baseline)`,
    `Service      ${serviceRps.toFixed(0)} requests/s, half within ${p50Ms.toFixed(1)} ms, 99 % within ${p99Ms.toFixed(1)} ms`,
    `Baseline        ${baselineRps.toFixed(0)} requests/s`,
  ];
}

function summarise(rounds: Comparison['rounds']): Comparison {
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
