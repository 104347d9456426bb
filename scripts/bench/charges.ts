import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { compare } from './compare.ts';
import { CONNECTIONS, type Request } from './load.ts';
import { order } from './order.ts';
import { startServer } from './processes.ts';
import { addTenant, type BenchStack, openStack, startApi } from './stack.ts';

export const charges: Bench = {
  name: 'charges',
  description:
    'POST /charges on one API process, against a bare Express and pg handler that inserts a row',
  about: [
    `Everything on, durable PostgreSQL; in turn, ${CONNECTIONS} connections, no two requests alike, all answered.`,
  ],
  measure,
};

export const SECRET_KEYS = 50;

async function measure(run: BenchRun): Promise<Measured> {
  const stack = await openStack(run);
  const { keys } = await addTenant(stack.context, { secretKeys: SECRET_KEYS });
  await stack.postgres.createDatabase('floor');
  const floorServer = await startFloor(stack, stack.postgres.url('floor'));
  const { answers, figures } = await withoutBacklog(stack, async () =>
    compare(stack, {
      service: { server: await startApi(stack), next: ordersOf(keys, '/v1/charges') },
      floor: { server: floorServer, next: ordersOf(keys, '/charges') },
    }),
  );
  const written = await expectKept(stack, answers);
  return { figures, details: [`${written} charges are each due to be created at their provider.`] };
}

export function startFloor({ run, dir, env }: BenchStack, databaseUrl: string) {
  const { NODE_ENV = '', DATABASE_POOL_SIZE = '' } = env;
  return startServer(run, {
    ...{ name: 'floor', main: 'scripts/bench/floor.ts', dir, readyPath: '/' },
    env: { NODE_ENV, DATABASE_POOL_SIZE, DATABASE_URL: databaseUrl },
  });
}

/** Each order has its own customer, amount and idempotency key, and the secret keys in turn. */
function ordersOf(keys: readonly string[], path: string): () => Request {
  let number = 0;
  return () => {
    number++;
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

/** Throws unless every answer has its charge, due to be created; returns how many there are. */
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
