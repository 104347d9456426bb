import type { Bench, BenchRun, Measured } from './bench.ts';
import { call, type DeliveryStack, openDeliveryStack } from './delivery-stack.ts';
import { median, percentile, rounded } from './figures.ts';
import { machineLine } from './machine.ts';
import { measureBesideBacklog } from './neighbour-backlog.ts';
import { type Arrivals, offerEvents } from './offer-events.ts';

export const neighbour: Bench = {
  name: 'neighbour',
  description:
    'How long 49 webhook endpoints wait for their events beside one that never answers, against the same without it',
  options: [
    {
      flags: '--backlog <deliveries>',
      description: 'one endpoint beside one that never answers, to which this many are due',
    },
  ],
  measure: (run) =>
    run.options.backlog === undefined
      ? measure(run)
      : measureBesideBacklog(run, Number(run.options.backlog)),
};

const MERCHANTS = 50;
/** The first of them is the one that hangs. */
const HANGING = 0;
/** Deliveries offered a second, to all of them together and in turn. */
const RATE = 200;
const ROUNDS = 3;
const ROUND_SECONDS = 20;
const WARM_UP_SECONDS = 10;
/**
 * By then as many requests hang as one endpoint may have in flight, and its due deliveries are
 * snoozed.
 */
const HANGS_BEFORE_SECONDS = 5;

const offer = (delivering: DeliveryStack, seconds: number, stopped: AbortSignal) =>
  offerEvents(
    delivering,
    { rate: RATE, seconds, to: delivering.endpoints, hanging: HANGING },
    stopped,
  );

async function measure({ print, stopped }: BenchRun): Promise<Measured> {
  print('Starting PostgreSQL, Redis, the receivers and the worker …');
  await using delivering = await openDeliveryStack(MERCHANTS);
  print('Warming up …');
  await offer(delivering, WARM_UP_SECONDS, stopped);
  const rounds: { alone: Arrivals; beside: Arrivals }[] = [];
  while (rounds.length < ROUNDS) {
    const alone = await offer(delivering, ROUND_SECONDS, stopped);
    await call(delivering.receiver, '/hang', 'POST');
    await offer(delivering, HANGS_BEFORE_SECONDS, stopped);
    const beside = await offer(delivering, ROUND_SECONDS, stopped);
    await call(delivering.receiver, '/answer', 'POST');
    await offer(delivering, HANGS_BEFORE_SECONDS, stopped);
    rounds.push({ alone, beside });
    print(
      `Round ${rounds.length}: 99 % within ${p99(alone).toFixed(1)} ms alone, ${p99(beside).toFixed(1)} ms beside one that hangs`,
    );
  }
  const alone = together(rounds.map((round) => round.alone));
  const beside = together(rounds.map((round) => round.beside));
  const ratio = median(rounds.map((round) => p99(round.beside) / p99(round.alone)));
  return {
    result: resultOf(ratio, alone, beside),
    report: reportOf(ratio, alone, beside, await machineLine(delivering.stack.context)),
  };
}

const p99 = ({ waitsMs }: Arrivals) => percentile(waitsMs, 99);

function together(rounds: readonly Arrivals[]): Arrivals {
  return {
    offered: rounds.reduce((sum, { offered }) => sum + offered, 0),
    waitsMs: rounds.flatMap(({ waitsMs }) => waitsMs),
  };
}

function resultOf(ratio: number, alone: Arrivals, beside: Arrivals): Measured['result'] {
  return {
    name: neighbour.name,
    ratio: rounded(ratio, 3),
    rate: RATE,
    p99_ms: rounded(p99(beside), 1),
    p99_alone_ms: rounded(p99(alone), 1),
    p50_ms: rounded(percentile(beside.waitsMs, 50), 1),
    p50_alone_ms: rounded(percentile(alone.waitsMs, 50), 1),
    offered: alone.offered + beside.offered,
    arrived: alone.waitsMs.length + beside.waitsMs.length,
  };
}

function reportOf(ratio: number, alone: Arrivals, beside: Arrivals, machine: string): string[] {
  const line = (seen: Arrivals) =>
    `half within ${percentile(seen.waitsMs, 50).toFixed(1)} ms, 99 % within ${p99(seen).toFixed(1)} ms`;
  return [
    '',
    `${RATE} events a second for ${MERCHANTS} merchants with an endpoint each, delivered by one worker process; one endpoint takes requests and never answers.`,
    'Time from the event to its receipt, of the other 49: the tx that writes the event, its commit and the enqueueing included.',
    `In turn, ${ROUNDS} rounds of ${ROUND_SECONDS} s each.`,
    '',
    `Ratio        ${ratio.toFixed(3)}   (median of the rounds' p99 beside the one that hangs to p99 without)`,
    `Beside it    ${line(beside)}`,
    `Alone        ${line(alone)}`,
    `Arrived      ${alone.waitsMs.length + beside.waitsMs.length} of ${alone.offered + beside.offered} offered to those 49`,
    `Machine      ${machine}`,
  ];
}
