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
  const compared = await compare(service, baseline, run);
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

/**
 * Every answer has its charge in the database and its job in Redis. Throws when one is missing;
 * returns the number of charges.
 */
async function expectKept({ context }: BenchStack, { rounds }: Comparison): Promise<number> {
  const answers = rounds.reduce((sum, { service }) => sum + service.answers, 0);
  const [{ written } = { written: 0 }] = await context.db.query<{ written: number }>(
    'select count(*) as written from charges',
  );
  if (written < answers)
    throw new BenchFailure(
      `There were ${answers} answers, but only ${written} charges are in the database.`,
    );
  for (let patience = 50; patience > 0; patience--) {
    const { waiting = 0 } = await context.queues.all.get('charge-create')!.getJobCounts('waiting');
    if (waiting === written) return written;
    await pause(100);
  }
  throw new BenchFailure(`Not every one of ${written} charges has its job in Redis.`);
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
    `Written      ${written} charges, each with its job in Redis`,
    `Machine      ${machine}`,
  ];
}
