import { referenceOf } from '../../domain/shared/ids.ts';
import type { Bench, BenchRun, Measured } from './bench.ts';
import { startFloor } from './charges.ts';
import type { Request } from './client.ts';
import { compare } from './compare.ts';
import { fillLedger } from './list-rows.ts';
import { CONNECTIONS } from './load.ts';
import { addTenant, DATABASE, openStack, startApi } from './stack.ts';

const SECRET_KEYS = 50;
const CHARGES = 10_000;

export const read: Bench = {
  name: 'read',
  description:
    'GET /charges/{SV-n} of a final charge on one API process, against a bare Express and pg handler that selects its row',
  about: [
    `GET /charges/{SV-n} of ${CHARGES} final charges on one API process, everything on: credential, rate limit, request log.`,
    'The floor is a bare Express and pg handler in a process of its own: one select of the same row from the same table.',
    `Both in turn, ${CONNECTIONS} connections without pipelining; every answer was a success.`,
  ],
  measure,
};

async function measure(run: BenchRun): Promise<Measured> {
  const stack = await openStack(run);
  const { context, postgres } = stack;
  const { tenantId, keys } = await addTenant(context, { secretKeys: SECRET_KEYS });
  await fillLedger(postgres.url(DATABASE), { tenantId, rows: CHARGES, end: context.clock() });
  return compare(stack, {
    service: { server: await startApi(stack), next: requestsOf(keys, '/v1/charges') },
    floor: {
      server: await startFloor(stack, postgres.url(DATABASE)),
      next: requestsOf(keys, '/charges'),
    },
  });
}

/** Merchants' servers looking charges up: another one each time, the secret keys in turn. */
function requestsOf(keys: readonly string[], path: string): () => Request {
  let made = 0;
  return () => {
    const number = ++made;
    const reference = referenceOf(1 + ((number * 7_919) % CHARGES));
    const headers = { Authorization: `Bearer ${keys[number % keys.length]}` };
    return { method: 'GET', path: `${path}/${reference}`, headers };
  };
}
