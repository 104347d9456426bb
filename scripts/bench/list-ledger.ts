import { openContext } from '../../config/context.ts';
import { readEnv } from '../../config/env.ts';
import { createLogger } from '../../config/logger.ts';
import { migrateDatabase } from '../migrate-database.ts';
import { addTenant, type BenchStack, startApi } from './bench-stack.ts';
import { fillLedger, type LedgerSize } from './list-rows.ts';
import type { Server } from './server.ts';

/** A merchant's charges in a database of their own, behind an API process of their own. */
export interface Ledger extends LedgerSize, AsyncDisposable {
  api: Server;
  keys: readonly string[];
}

/** Enough for the limit per key and minute, however quick the machine is. */
const SECRET_KEYS = 200;

export async function openLedger(stack: BenchStack, rows: number, end: Date): Promise<Ledger> {
  const database = `ledger_${rows}`;
  await stack.postgres.createDatabase(database);
  const databaseUrl = stack.postgres.url(database);
  await migrateDatabase(databaseUrl, new Date());
  const env = { ...stack.env, DATABASE_URL: databaseUrl };
  const { tenantId, keys } = await addMerchant(env);
  await fillLedger(databaseUrl, { tenantId, rows, end });
  const api = await startApi({ ...stack, env });
  return {
    tenantId,
    rows,
    end,
    keys,
    api,
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

async function addMerchant(env: Record<string, string>) {
  await using context = await openContext(readEnv(env), { log: createLogger('error') });
  return await addTenant(context, SECRET_KEYS);
}
