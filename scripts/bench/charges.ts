import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import {
  addTenant,
  type BenchStack,
  openBenchStack,
  startApi,
  startBaseline,
} from './bench-stack.ts';
import { type Comparison, compare, figuresOf, resultOf } from './compare.ts';
import { CONNECTIONS, type Request, type Target } from './load.ts';
import { machineLine } from './machine.ts';
import { order } from './order.ts';
import { statementsPerRequest } from './statements.ts';

export const charges: Bench = {
  name: 'charges',
  description:
    'POST /charges on one API process, against a bare Express and pg handler that inserts one equal row',
  measure,
};

const SECRET_KEYS = 50;
const COUNTED_REQUESTS = 50;

async function measure(run: BenchRun): Promise<Measured> {
  run.print('Starting PostgreSQL, Redis, the API and the baseline …');
  await using stack = await openBenchStack();
  run.stopped.throwIfAborted();
  const { keys } = await addTenant(stack.context, SECRET_KEYS);
  await using api = await startApi(stack);
  await stack.postgres.createDatabase('baseline');
  await using bare = await startBaseline(
    stack,
    'scripts/bench/insert-baseline.ts',
    stack.postgres.url('baseline'),
  );
  const service: Target = { server: api, method: 'POST', next: requestsOf(keys, '/v1/charges') };
  const baseline: Target = { server: bare, method: 'POST', next: requestsOf(keys, '/charges') };
  const compared = await withoutBacklog(stack, () => compare(service, baseline, run));
  const written = await expectKept(stack, compared);
  const statements = await statementsPerRequest(stack, service, COUNTED_REQUESTS);
  return {
    result: resultOf(charges.name, compared, statements),
    report: reportOf(compared, { statements, written, machine: await machineLine(stack.context) }),
  };
}

/**
 * Orders of a web shop: each its own customer, amount and idempotency key, the secret keys in turn.
 */
function requestsOf(keys: readonly string[], path: string): () => Request {
  let made = 0;
  return () => {
    const number = ++made;
    const key = keys[number % keys.length];
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${key}`,
      'Idempotency-Key': randomUUID(),
    };
    return { path, headers, body: JSON.stringify(order(number)) };
  };
}

/** Enqueuing slows down where a queue is long: jobs are taken out of it, as by workers. */
const TAKEN_OUT_EVERY_MS = 200;

async function withoutBacklog<T>({ context }: BenchStack, measured: () => Promise<T>): Promise<T> {
  const queue = context.queues.all.get('charge-create')!;
  const stopping = new AbortController();
  const takingOut = (async () => {
    while (!stopping.signal.aborted) {
      await queue.drain();
      await pause(TAKEN_OUT_EVERY_MS);
    }
  })();
  try {
    return await measured();
  } finally {
    stopping.abort();
    await takingOut;
  }
}

/**
 * Every answer has its charge in the database, and each charge is due to be created at its
 * provider. Throws when one is missing; returns the number of charges.
 */
async function expectKept({ context }: BenchStack, { rounds }: Comparison): Promise<number> {
  const answers = rounds.reduce((sum, { service }) => sum + service.answers, 0);
  const [{ written, due } = { written: 0, due: 0 }] = await context.db.query<{
    written: number;
    due: number;
  }>(
    `select (select count(*) from charges) as written,
       (select count(*) from attempts where status = 'queued' and due_at is not null) as due`,
  );
  if (written < answers)
    throw new BenchFailure(
      `There were ${answers} answers, but only ${written} charges are in the database.`,
    );
  if (due < written)
    throw new BenchFailure(`Only ${due} of ${written} charges are due to be created.`);
  return written;
}

function reportOf(
  compared: Comparison,
  { statements, written, machine }: { statements: number; written: number; machine: string },
): string[] {
  return [
    '',
    'POST /charges on one API process, everything on: durable PostgreSQL, queues on Redis, request log, idempotency keys.',
    'The baseline is a bare Express and pg handler in a process of its own: express.json() and one insert of as many columns.',
    `Both in turn, ${compared.rounds.length} rounds, ${CONNECTIONS} connections without pipelining, no two requests alike; every answer was a success.`,
    '',
    ...figuresOf(compared),
    `Statements   ${statements.toFixed(2)} per request, counted in PostgreSQL's log over ${COUNTED_REQUESTS} requests one after the other`,
    `Written      ${written} charges, each due to be created at its provider`,
    `Machine      ${machine}`,
  ];
}
