import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, BenchFailure, type Hands, type Measured } from './bench.ts';
import { type Comparison, compare } from './compare.ts';
import { rounded } from './figures.ts';
import { CONNECTIONS, type Request } from './load.ts';
import { machineLine } from './machine.ts';
import { type Server, startServer } from './server.ts';
import { addTenant, openStage, type Stage } from './stage.ts';
import { statementsPerRequest } from './statements.ts';

export const charges: Bench = {
  name: 'charges',
  description: 'POST /charges on one API process, against a bare Express and pg handler that inserts one equal row',
  measure,
};

const SECRET_KEYS = 50;
const COUNTED_REQUESTS = 50;

async function measure(hands: Hands): Promise<Measured> {
  hands.say('Starting PostgreSQL, Redis, the API and the floor …');
  await using stage = await openStage();
  hands.stopped.throwIfAborted();
  const nextRequest = requestsOf(await addTenant(stage.context, SECRET_KEYS));
  await using api = await startApi(stage);
  await using bare = await startFloor(stage);
  const service = { server: api, path: '/v1/charges', next: nextRequest };
  const floor = { server: bare, path: '/charges', next: nextRequest };
  const compared = await compare(service, floor, hands);
  const written = await expectKept(stage, compared);
  const statements = await statementsPerRequest(stage, service, COUNTED_REQUESTS);
  return {
    result: resultOf(compared, statements),
    report: reportOf(compared, { statements, written, machine: await machineLine(stage.context) }),
  };
}

function startApi({ dir, env }: Stage): Promise<Server> {
  return startServer({ name: 'API', main: 'api/main.ts', env, logFile: join(dir, 'api.log'), readyPath: '/readyz' });
}

async function startFloor({ dir, env, postgres }: Stage): Promise<Server> {
  await postgres.createDatabase('floor');
  const { NODE_ENV = '', DATABASE_POOL_SIZE = '' } = env;
  const floorEnv = { NODE_ENV, DATABASE_POOL_SIZE, DATABASE_URL: postgres.url('floor') };
  return startServer({ name: 'floor', main: 'scripts/bench/floor.ts', env: floorEnv, logFile: join(dir, 'floor.log'), readyPath: '/' });
}

/** Orders of a web shop: each its own customer, amount and idempotency key, the secret keys in turn. */
function requestsOf(keys: readonly string[]): () => Request {
  let made = 0;
  return () => {
    const number = ++made;
    const key = keys[number % keys.length];
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}`, 'Idempotency-Key': randomUUID() };
    return { headers, body: JSON.stringify(order(number)) };
  };
}

function order(number: number) {
  const digits = String(number).padStart(7, '0');
  return {
    amount_kobo: 150_000 + (number % 5_000) * 100,
    email: `adaeze.okafor+${digits}@example.com`,
    name: 'Adaeze Okafor',
    phone: `0803${digits}`,
    reference: `ORDER-2026-${digits}`,
    description: `Order ${digits}: two ankara dresses and one pair of sandals, delivery to Surulere`,
    metadata: { order_id: `ord_${digits}`, cart_items: 3, channel: 'web', delivery: 'Surulere, Lagos' },
  };
}

/** Every answer stands for a charge in the database and its job in Redis. Throws when one is missing; returns the charges there are. */
async function expectKept({ context }: Stage, { rounds }: Comparison): Promise<number> {
  const answers = rounds.reduce((sum, { service }) => sum + service.answers, 0);
  const [{ written } = { written: 0 }] = await context.db.query<{ written: number }>('select count(*) as written from charges');
  if (written < answers) throw new BenchFailure(`There were ${answers} answers, but only ${written} charges are in the database.`);
  for (let patience = 50; patience > 0; patience--) {
    const { waiting = 0 } = await context.queues.all.get('charge-create')!.getJobCounts('waiting');
    if (waiting === written) return written;
    await pause(100);
  }
  throw new BenchFailure(`Not every one of ${written} charges has its job in Redis.`);
}

function resultOf({ ratio, serviceRps, floorRps, p50Ms, p99Ms }: Comparison, statements: number): Measured['result'] {
  return {
    name: charges.name,
    ratio: rounded(ratio, 3),
    service_rps: rounded(serviceRps, 1),
    floor_rps: rounded(floorRps, 1),
    p50_ms: rounded(p50Ms, 2),
    p99_ms: rounded(p99Ms, 2),
    statements_per_request: rounded(statements, 2),
  };
}

function reportOf(
  compared: Comparison,
  { statements, written, machine }: { statements: number; written: number; machine: string },
): string[] {
  const { ratio, serviceRps, floorRps, p50Ms, p99Ms, rounds } = compared;
  return [
    '',
    'POST /charges on one API process, everything on: durable PostgreSQL, queues on Redis, request log, idempotency keys.',
    'The floor is a bare Express and pg handler in a process of its own: express.json() and one insert of as many columns.',
    `Both in turn, ${rounds.length} rounds, ${CONNECTIONS} connections without pipelining, no two requests alike; every answer was a success.`,
    '',
    `Ratio        ${ratio.toFixed(3)}   (median of the rounds' service to floor)`,
    `Service      ${serviceRps.toFixed(0)} requests/s, half within ${p50Ms.toFixed(1)} ms, 99 % within ${p99Ms.toFixed(1)} ms`,
    `Floor        ${floorRps.toFixed(0)} requests/s`,
    `Statements   ${statements.toFixed(2)} per request, counted in PostgreSQL's log over ${COUNTED_REQUESTS} requests one after the other`,
    `Written      ${written} charges, each with its job in Redis`,
    `Machine      ${machine}`,
  ];
}
