import type { Measured } from './bench.ts';
import { openClient } from './client.ts';
import { median, percentile, rounded, roundedPercentile } from './figures.ts';
import { askSteadily, load, type Round, type Target } from './load.ts';
import type { BenchStack } from './stack.ts';
import { callsOf, statementsDuring } from './statements.ts';

/** The service, and the floor: the bare minimum that does the same. */
type Both<T> = Record<'service' | 'floor', T>;

/** Long enough for the compiler of V8 to settle: requests per second no longer rise after it. */
const WARM_UP_SECONDS = 4;
const ROUNDS = 5;
const ROUND_SECONDS = 4;
const STEADY_ROUNDS = 3;
const EQUAL_LOAD = { perSecond: 1_000, seconds: 3 };
const ALONE = { perSecond: 20, seconds: 3 };
const COUNTED_REQUESTS = 50;

/** Warms both up, then asks them in turn, always the same way: what slows one slows the other. */
export async function compare(
  { run, context }: BenchStack,
  targets: Both<Target>,
): Promise<{ answers: number; figures: Measured['figures'] }> {
  const { print } = run;
  print('Warming up …');
  await inTurn(targets, (target) => load(target, WARM_UP_SECONDS, run));
  const rounds: Both<Round>[] = [];
  while (rounds.length < ROUNDS) {
    const round = await inTurn(targets, (target) => load(target, ROUND_SECONDS, run));
    rounds.push(round);
    print(`Round ${rounds.length}: ${lineOf(round)}`);
  }
  const steadily = async (offered: typeof ALONE, percent: number) => {
    const durations: Both<number[]> = { service: [], floor: [] };
    for (let round = 0; round < STEADY_ROUNDS; round++) {
      const { service, floor } = await inTurn(targets, (one) => askSteadily(one, offered, run));
      durations.service.push(...service);
      durations.floor.push(...floor);
    }
    return inTurn(durations, async (ms) => roundedPercentile(ms, percent, 2));
  };
  const equal = await steadily(EQUAL_LOAD, 99);
  const alone = await steadily(ALONE, 50);
  const statements = await statementsDuring(context.db, () => askAlone(targets.service));
  const durationsMs = rounds.flatMap(({ service }) => service.durationsMs);
  const figures = {
    ratio: rounded(median(rounds.map(ratioOf)), 3),
    service_rps: rounded(median(rounds.map(({ service }) => service.rps)), 1),
    floor_rps: rounded(median(rounds.map(({ floor }) => floor.rps)), 1),
    p50_ms: rounded(percentile(durationsMs, 50), 2),
    p99_ms: rounded(percentile(durationsMs, 99), 2),
    equal_load_rps: EQUAL_LOAD.perSecond,
    equal_load_p99_ms: equal.service,
    floor_equal_load_p99_ms: equal.floor,
    alone_p50_ms: alone.service,
    floor_alone_p50_ms: alone.floor,
    statements_per_request: rounded(callsOf(statements) / COUNTED_REQUESTS, 2),
  };
  return { answers: rounds.reduce((sum, { service }) => sum + service.answers, 0), figures };
}

async function inTurn<From, To>(
  { service, floor }: Both<From>,
  work: (one: From) => Promise<To>,
): Promise<Both<To>> {
  return { service: await work(service), floor: await work(floor) };
}

const ratioOf = ({ service, floor }: Both<Round>) => service.rps / floor.rps;

function lineOf(round: Both<Round>): string {
  const { service, floor } = round;
  const rates = `service ${service.rps.toFixed(0)}/s, floor ${floor.rps.toFixed(0)}/s`;
  const shares = [service, floor].map(
    ({ generatorShare }) => `${Math.round(generatorShare * 100)} %`,
  );
  return `${rates}, ratio ${ratioOf(round).toFixed(3)} (the load generator used ${shares.join(' and ')} of a core)`;
}

/** One request after the other. */
async function askAlone({ server, next }: Target): Promise<void> {
  await using client = openClient(server.url);
  for (let asked = 0; asked < COUNTED_REQUESTS; asked++) await client.ask(next());
}
