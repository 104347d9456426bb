import type { Context } from '../../config/context.ts';
import { newId, referenceOf } from '../../domain/shared/ids.ts';
import type { Bench, BenchRun, Measured } from './bench.ts';
import { startFloor } from './charges.ts';
import type { Request } from './client.ts';
import { compare } from './compare.ts';
import { CONNECTIONS } from './load.ts';
import { addTenant, type BenchTenant, DATABASE, openStack, startApi } from './stack.ts';

const SECRET_KEYS = 50;
const CHARGES = 10_000;

export const read: Bench = {
  name: 'read',
  description:
    'GET /charges/{SV-n} of a final charge on one API process, against a bare Express and pg handler that selects its row',
  about: [
    `GET /charges/{SV-n} of ${CHARGES} settled charges on one API process, everything on: credential, rate limit, request log.`,
    'The floor is a bare Express and pg handler in a process of its own: one select of the same row from the same table.',
    `Both in turn, ${CONNECTIONS} connections without pipelining; every answer was a success.`,
  ],
  measure,
};

async function measure(run: BenchRun): Promise<Measured> {
  const stack = await openStack(run);
  const tenant = await addTenant(stack.context, { secretKeys: SECRET_KEYS });
  const references = await addSettledCharges(stack.context, tenant);
  const asked = (path: string) => requestsOf(tenant.keys, references, path);
  return compare(stack, {
    service: { server: await startApi(stack), next: asked('/v1/charges') },
    floor: {
      server: await startFloor(stack, stack.postgres.url(DATABASE)),
      next: asked('/charges'),
    },
  });
}

/** Paid and settled charges of one tenant; returns their references. */
async function addSettledCharges(
  { db, clock }: Context,
  { tenantId, connectionId }: BenchTenant,
): Promise<string[]> {
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
    const headers = { Authorization: `Bearer ${keys[number % keys.length]}` };
    return { method: 'GET', path: `${path}/${reference}`, headers };
  };
}
