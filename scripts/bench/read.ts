import { referenceOf } from '../../domain/shared/ids.ts';
import type { Bench, BenchRun, Measured } from './bench.ts';
import { SECRET_KEYS, startFloor } from './charges.ts';
import { compare } from './compare.ts';
import { fillLedger } from './list-rows.ts';
import { CONNECTIONS, type Request } from './load.ts';
import { addTenant, DATABASE, openStack, startApi } from './stack.ts';

const CHARGES = 10_000;

export const read: Bench = {
  name: 'read',
  description:
    'GET /charges/{SV-n} of a final charge, against a bare Express and pg handler that selects it',
  about: [
    `${CHARGES} final charges, everything on; in turn, ${CONNECTIONS} connections, all answered.`,
  ],
  measure,
};

async function measure(run: BenchRun): Promise<Measured> {
  const stack = await openStack(run);
  const { context, postgres } = stack;
  const { tenantId, keys } = await addTenant(context, { secretKeys: SECRET_KEYS });
  const databaseUrl = postgres.url(DATABASE);
  await fillLedger(databaseUrl, { tenantId, rows: CHARGES, end: context.clock() });
  const floorServer = await startFloor(stack, databaseUrl);
  return compare(stack, {
    service: { server: await startApi(stack), next: lookUpsOf(keys, '/v1/charges') },
    floor: { server: floorServer, next: lookUpsOf(keys, '/charges') },
  });
}

function lookUpsOf(keys: readonly string[], path: string): () => Request {
  let number = 0;
  return () => {
    number++;
    const reference = referenceOf(1 + ((number * 7_919) % CHARGES));
    const headers = { Authorization: `Bearer ${keys[number % keys.length]}` };
    return { method: 'GET', path: `${path}/${reference}`, headers };
  };
}
