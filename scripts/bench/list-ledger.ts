import type { Context } from '../../config/context.ts';
import { migrateDatabase } from '../migrate-database.ts';
import { fillLedger, type LedgerSize } from './list-rows.ts';
import type { Server } from './processes.ts';
import { addTenant, type BenchStack, openOn, startApi } from './stack.ts';

/** A merchant's charges in a database of their own, behind an API process of their own. */
export interface Ledger extends LedgerSize {
  api: Server;
  keys: readonly string[];
  context: Context;
}

/** Enough for the limit per key and minute, however quick the machine is. */
const SECRET_KEYS = 200;

export async function openLedger(stack: BenchStack, rows: number, end: Date): Promise<Ledger> {
  const { run, postgres } = stack;
  run.stopped.throwIfAborted();
  run.print(`Writing ${rows} charges …`);
  const database = `ledger_${rows}`;
  await postgres.createDatabase(database);
  const databaseUrl = postgres.url(database);
  await migrateDatabase(databaseUrl, new Date());
  const env = { ...stack.env, DATABASE_URL: databaseUrl };
  const context = run.scope.use(await openOn(env));
  const { tenantId, keys } = await addTenant(context, { secretKeys: SECRET_KEYS });
  await fillLedger(databaseUrl, { tenantId, rows, end });
  return { tenantId, rows, end, keys, context, api: await startApi({ ...stack, env }) };
}
