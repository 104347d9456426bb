import { writeDueDeliveries } from './backlog.ts';
import type { BenchRun, Measured } from './bench.ts';
import { call, type DeliveryStack, openDeliveryStack } from './delivery-stack.ts';
import { median, percentile, rounded } from './figures.ts';
import { machineLine } from './machine.ts';
import { type Arrivals, offerEvents } from './offer-events.ts';

const HANGING = 0;
const HEALTHY = 1;
/** Events a second to the healthy endpoint: 2,000 in a round. */
const RATE = 200;
const ROUND_SECONDS = 10;
const ROUNDS = 3;

interface Round {
  alone: Arrivals;
  beside: Arrivals;
}

/**
 * How long the events of one endpoint take beside another one that never answers and to which
 * `backlog` deliveries are due, against the same without those.
 */
export async function measureBesideBacklog(run: BenchRun, backlog: number): Promise<Measured> {
  const { print, stopped } = run;
  print('Starting PostgreSQL, Redis, the receivers and the worker …');
  await using delivering = await openDeliveryStack(2);
  print('Warming up …');
  await offer(delivering, stopped);
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS) {
    const alone = await offer(delivering, stopped);
    const beside = await offerBeside(delivering, backlog, stopped);
    rounds.push({ alone, beside });
    print(
      `Round ${rounds.length}: 99 % within ${p99(alone).toFixed(1)} ms alone, ${p99(beside).toFixed(1)} ms beside the backlog`,
    );
  }
  return measuredFrom(rounds, backlog, await machineLine(delivering.stack.context));
}

/**
 * After the writing of the backlog, and after its end: a backlog grows over hours, and PostgreSQL
 * cleans up meanwhile.
 */
const offer = async (delivering: DeliveryStack, stopped: AbortSignal) => {
  const { db } = delivering.stack.context;
  await db.query('vacuum analyze events, deliveries, delivery_tries');
  await db.query('checkpoint');
  const to = [delivering.endpoints[HEALTHY]!];
  return offerEvents(
    delivering,
    { rate: RATE, seconds: ROUND_SECONDS, to, hanging: HANGING },
    stopped,
  );
};

async function offerBeside(
  delivering: DeliveryStack,
  backlog: number,
  stopped: AbortSignal,
): Promise<Arrivals> {
  const { context } = delivering.stack;
  await call(delivering.receiver, '/hang', 'POST');
  const hanging = delivering.endpoints[HANGING]!;
  const jobs = await writeDueDeliveries(delivering, backlog, () => hanging);
  context.dispatcher.enqueue(jobs);
  await context.dispatcher.idle();
  const arrivals = await offer(delivering, stopped);
  await context.db.query(
    `update deliveries set status = 'cancelled', due_at = null, finished_at = now()
     where endpoint_id = $1 and status = 'pending'`,
    [hanging.id],
  );
  await call(delivering.receiver, '/answer', 'POST');
  return arrivals;
}

const p99 = ({ waitsMs }: Arrivals) => percentile(waitsMs, 99);

function measuredFrom(rounds: readonly Round[], backlog: number, machine: string): Measured {
  const ratio = median(rounds.map(({ alone, beside }) => p99(beside) / p99(alone)));
  const p99Ms = median(rounds.map(({ beside }) => p99(beside)));
  const aloneMs = median(rounds.map(({ alone }) => p99(alone)));
  return {
    result: {
      name: 'neighbour',
      backlog,
      ratio: rounded(ratio, 3),
      rate: RATE,
      p99_ms: rounded(p99Ms, 1),
      p99_alone_ms: rounded(aloneMs, 1),
    },
    report: [
      '',
      `${RATE} events a second to one endpoint, delivered by one worker process; another endpoint takes requests and never answers, and ${backlog} deliveries to it are due.`,
      'Time from the event to its receipt: the transaction that writes the event, its commit and the enqueueing included.',
      `In turn, ${ROUNDS} rounds of ${RATE * ROUND_SECONDS} events with the backlog and without.`,
      '',
      `Ratio        ${ratio.toFixed(3)}   (median of the rounds' p99 beside the backlog to p99 without)`,
      `Beside it    99 % within ${p99Ms.toFixed(1)} ms`,
      `Alone        99 % within ${aloneMs.toFixed(1)} ms`,
      `Machine      ${machine}`,
    ],
  };
}
