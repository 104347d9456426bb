import type { Context } from '../../config/context.ts';
import { newId, referenceOf } from '../../domain/shared/ids.ts';
import type { Bench, BenchRun, Measured } from './bench.ts';
import { addTenant, DATABASE, openBenchStack, startApi, startBaseline } from './bench-stack.ts';
import { type Comparison, compare, figuresOf, resultOf } from './compare.ts';
import { CONNECTIONS, type Request, type Target } from './load.ts';
import { machineLine } from './machine.ts';
import { statementsPerRequest } from './statements.ts';

export const read: Bench = {
  name: 'read',
  description:
    'GET /charges/{SV-n} of a final charge on one API process, against a bare Express and pg handler that selects its row',
  measure,
};

const SECRET_KEYS = 50;
const CHARGES = 10_000;
const COUNTED_REQUESTS = 50;

async function measure(run: BenchRun): Promise<Measured> {
  run.print('Starting PostgreSQL, Redis, the API and the baseline …');
  await using stack = await openBenchStack();
  run.stopped.throwIfAborted();
  const tenant = await addTenant(stack.context, SECRET_KEYS);
  const references = await addSettledCharges(stack.context, tenant);
  await using api = await startApi(stack);
  await using bare = await startBaseline(
    stack,
    'scripts/bench/select-baseline.ts',
    stack.postgres.url(DATABASE),
  );
  const service: Target = {
    server: api,
    method: 'GET',
    next: requestsOf(tenant.keys, references, '/v1/charges'),
  };
  const baseline: Target = {
    server: bare,
    method: 'GET',
    next: requestsOf(tenant.keys, references, '/charges'),
  };
  const compared = await compare(service, baseline, run);
  const statements = await statementsPerRequest(stack, service, COUNTED_REQUESTS);
  return {
    result: resultOf(read.name, compared, statements),
    report: reportOf(compared, statements, await machineLine(stack.context)),
  };
}

/** Paid and settled charges of one tenant; returns their references. */
async function addSettledCharges(
  { db, clock }: Context,
  { tenantId, connectionId }: Awaited<ReturnType<typeof addTenant>>,
) {
  const now = clock();
  const rows = await db.query<{ number: number }>(
    `insert into charges (id, tenant_id, mode, number, status, merchant_reference, amount_kobo,
       fee_kobo, currency, email, name, phone, description, metadata, provider_wanted, slot,
       connection_id, created_by, channel, provider_reference, occurred_at, settled_at, created_at,
       expires_at)
     select id, $2, 'test', nextval('sv_numbers'), 'settled', 'ORDER-2026-' || n, 150000 + n * 100,
       2250, 'NGN', 'adaeze.okafor+' || n || '@example.com', 'Adaeze Okafor', '+2348031234567',
       'Order ' || n || ': two ankara dresses, delivery to Surulere',
       json_build_object('order_id', 'ord_' || n, 'cart_items', 3), 'auto', 'provider_a', $3,
       'secret', 'card', 'T' || n, $4, $4, $4, $4
     from unnest($1::text[]) with ordinality as made (id, n)
     returning number`,
    [Array.from({ length: CHARGES }, () => newId('txn', now)), tenantId, connectionId, now],
  );
  await db.query('vacuum analyze charges');
  return rows.map(({ number }) => referenceOf(number));
}

/** Merchants' servers looking charges up: another one each time, the secret keys in turn. */
function requestsOf(
  keys: readonly string[],
  references: readonly string[],
  path: string,
): () => Request {
  let made = 0;
  return () => {
    const number = ++made;
    const reference = references[(number * 7_919) % references.length];
    return {
      path: `${path}/${reference}`,
      headers: { Authorization: `Bearer ${keys[number % keys.length]}` },
    };
  };
}

function reportOf(compared: Comparison, statements: number, machine: string): string[] {
  return [
    '',
    `GET /charges/{SV-n} of ${CHARGES} settled charges on one API process, everything on: credential, rate limit, request log.`,
    'The baseline is a bare Express and pg handler in a process of its own: one select of the same row from the same table.',
    `Both in turn, ${compared.rounds.length} rounds, ${CONNECTIONS} connections without pipelining; every answer was a success.`,
    '',
    ...figuresOf(compared),
    `Statements   ${statements.toFixed(2)} per request, counted in PostgreSQL's log over ${COUNTED_REQUESTS} requests one after the other`,
    `Machine      ${machine}`,
  ];
}
