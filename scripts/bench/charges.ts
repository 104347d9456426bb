import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import type { Request } from './client.ts';
import { compare } from './compare.ts';
import { CONNECTIONS } from './load.ts';
import { order } from './order.ts';
import { startServer } from './processes.ts';
import { addTenant, type BenchStack, openStack, startApi } from './stack.ts';

export const charges: Bench = {
  name: 'charges',
  description:
    'POST /charges on one API process, against a bare Express and pg handler that inserts one equal row',
  about: [
    'POST /charges on one API process, everything on: durable PostgreSQL, queues on Redis, request log, idempotency keys.',
    'The floor is a bare Express and pg handler in a process of its own: express.json() and one insert of as many columns.',
    `Both in turn, ${CONNECTIONS} connections without pipelining, no two requests alike; every answer was a success.`,
  ],
  measure,
};

const SECRET_KEYS = 50;

async function measure(run: BenchRun): Promise<Measured> {
  const stack = await openStack(run);
  const { keys } = await addTenant(stack.context, { secretKeys: SECRET_KEYS });
  await stack.postgres.createDatabase('floor');
  const service = { server: await startApi(stack), next: requestsOf(keys, '/v1/charges') };
  const floor = {
    server: await startFloor(stack, stack.postgres.url('floor')),
    next: requestsOf(keys, '/charges'),
  };
  const { answers, figures } = await withoutBacklog(stack, () =>
    compare(stack, { service, floor }),
  );
  const written = await expectKept(stack, answers);
  return { figures, details: [`${written} charges are each due to be created at their provider.`] };
}

/** What the service is measured against, with its pool and in a process of its own. */
export function startFloor({ run, dir, env }: BenchStack, databaseUrl: string) {
  const { NODE_ENV = '', DATABASE_POOL_SIZE = '' } = env;
  return startServer(run, {
    ...{ name: 'floor', main: 'scripts/bench/floor.ts', dir, readyPath: '/' },
    env: { NODE_ENV, DATABASE_POOL_SIZE, DATABASE_URL: databaseUrl },
  });
}

/**
 * Orders of a web shop: each its own customer, amount and idempotency key, the secret keys in turn.
 */
function requestsOf(keys: readonly string[], path: string): () => Request {
  let made = 0;
  return () => {
    const number = ++made;
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${keys[number % keys.length]}`,
      'Idempotency-Key': randomUUID(),
    };
    return { method: 'POST', path, headers, body: JSON.stringify(order(number)) };
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
async function expectKept({ context }: BenchStack, answers: number): Promise<number> {
  const [found] = await context.db.query<{ written: number; due: number }>(
    `select (select count(*) from charges) as written,
       (select count(*) from attempts where status = 'queued' and due_at is not null) as due`,
  );
  const { written, due } = found!;
  if (written >= answers && due >= written) return written;
  throw new BenchFailure(
    `There were ${answers} answers; ${written} charges are in the database, of which ${due} are due to be created.`,
  );
}
