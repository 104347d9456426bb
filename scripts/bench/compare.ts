import type { Measured } from './bench.ts';
import { inRounds, median, rounded, roundedPercentile } from './figures.ts';
import { askSteadily, load, openClient, type Round, type Target } from './load.ts';
import { callsOf, statementsDuring } from './session.ts';
import type { BenchStack } from './stack.ts';

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

export async function compare(
  { run, context }: BenchStack,
  targets: Both<Target>,
): Promise<{ answers: number; figures: Measured['figures'] }> {
  const both = <T>(ask: (target: Target) => Promise<T>): Both<() => Promise<T>> => ({
    service: () => ask(targets.service),
    floor: () => ask(targets.floor),
  });
  const steadily = async (offered: typeof ALONE, percent: number): Promise<Both<number>> => {
    const questions = both((target) => askSteadily(target, offered, run));
    const rounds = await inRounds(run, STEADY_ROUNDS, questions);
    const all = (name: keyof Both<unknown>) => rounds.flatMap((round) => round[name]);
    return {
      service: roundedPercentile(all('service'), percent, 2),
      floor: roundedPercentile(all('floor'), percent, 2),
    };
  };
  run.print('Warming up …');
  const loadFor = (seconds: number) => both((target) => load(target, seconds, run));
  await inRounds(run, 1, loadFor(WARM_UP_SECONDS));
  const rounds = await inRounds(run, ROUNDS, loadFor(ROUND_SECONDS), lineOf);
  const equal = await steadily(EQUAL_LOAD, 99);
  const alone = await steadily(ALONE, 50);
  const statements = await statementsDuring(context.db, () => askAlone(targets.service));
  const durationsMs = rounds.flatMap(({ service }) => service.durationsMs);
  const figures = {
    ratio: rounded(median(rounds.map(ratioOf)), 3),
    service_rps: rounded(median(rounds.map(({ service }) => service.rps)), 1),
    floor_rps: rounded(median(rounds.map(({ floor }) => floor.rps)), 1),
    p50_ms: roundedPercentile(durationsMs, 50, 2),
    p99_ms: roundedPercentile(durationsMs, 99, 2),
    equal_load_rps: EQUAL_LOAD.perSecond,
    equal_load_p99_ms: equal.service,
    floor_equal_load_p99_ms: equal.floor,
    alone_p50_ms: alone.service,
    floor_alone_p50_ms: alone.floor,
    statements_per_request: rounded(callsOf(statements) / COUNTED_REQUESTS, 2),
  };
  return { answers: durationsMs.length, figures };
}

const ratioOf = ({ service, floor }: Both<Round>) => service.rps / floor.rps;

function lineOf(round: Both<Round>): string {
  const { service, floor } = round;
  const [share, floorShare] = [service, floor].map((one) => Math.round(one.generatorShare * 100));
  return (
    `service ${service.rps.toFixed(0)}/s, floor ${floor.rps.toFixed(0)}/s, ` +
    `ratio ${ratioOf(round).toFixed(3)} (load generator: ${share} and ${floorShare} % of a core)`
  );
}

async function askAlone({ server, next }: Target): Promise<void> {
  await using client = openClient(server.url);
  for (let asked = 0; asked < COUNTED_REQUESTS; asked++) await client.ask(next());
}
