import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../config/context.ts';
import { createCharge } from '../../domain/payments/charge/create.ts';
import { blankCharge } from '../../domain/payments/charge/row.ts';
import { newId } from '../../domain/shared/ids.ts';
import { CURRENCY } from '../../domain/shared/money.ts';
import { sha256Of } from '../../domain/shared/sha256.ts';
import type { Slot } from '../../domain/shared/slot.ts';
import { DAY_MS } from '../../domain/shared/units.ts';
import { until } from '../local/until.ts';
import { registerSandboxAccounts } from '../sandbox-tenant.ts';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { measureBeside } from './figures.ts';
import { keepRate } from './rate.ts';
import { setFaults, startSandbox } from './sandbox.ts';
import { addTenant, openStack, startWorkers } from './stack.ts';

const MERCHANTS = 20;
const RATE = 20;
const ROUNDS = 3;
const ROUND_SECONDS = 15;
const SLOW_MS = 9_000;
const PAYABLE_WITHIN_MS = 20_000;

export const bulkhead: Bench = {
  name: 'bulkhead',
  description:
    'How soon links at provider A are payable while provider C takes 9 s, against C being quick',
  about: [
    `${RATE} charges a second at each of A and C, of ${MERCHANTS} merchants, created by one worker process.`,
    `${ROUNDS} rounds of ${ROUND_SECONDS} s with C quick and slow, in turn; ratio of the 99th percentiles, median round.`,
  ],
  measure,
};

async function measure(run: BenchRun): Promise<Measured> {
  const stack = await openStack(run);
  const sandbox = await startSandbox(run, stack.dir);
  const { context } = stack;
  context.env.sandboxUrl = stack.env.SANDBOX_URL = sandbox.url;
  const merchants: string[] = [];
  while (merchants.length < MERCHANTS)
    merchants.push(...(await addTenant(context, { secretKeys: 1, isOnSandbox: true })).keys);
  await registerSandboxAccounts(context);
  await startWorkers(stack, 'charge-create');
  const create = () => createCharges(context, merchants, run);
  run.print('Warming up …');
  await create();
  const { figures } = await measureBeside(run, ROUNDS, {
    alone: create,
    async beside() {
      await setFaults(sandbox.url, { provider: 'monnify', latency_ms: SLOW_MS });
      const durationsMs = await create();
      await setFaults(sandbox.url, {});
      await forgetSlow(context);
      return durationsMs;
    },
  });
  const { ratio, ...p99 } = figures;
  return { figures: { ratio, rate: RATE, ...p99 } };
}

async function createCharges(
  context: Context,
  merchants: readonly string[],
  { stopped }: BenchRun,
): Promise<number[]> {
  const rate = { perSecond: RATE, count: RATE * ROUND_SECONDS, stopped };
  const { begun } = await keepRate(rate, async (number) => {
    const key = merchants[number % merchants.length]!;
    const slots = ['provider_a', 'provider_c'] as const;
    const [atA] = await Promise.all(slots.map((slot) => order(context, key, slot)));
    return atA!;
  });
  const charges = await Promise.all(begun);
  const patience = { everyMs: 100, withinMs: PAYABLE_WITHIN_MS, ended: stopped };
  const payable = await until(patience, async () => {
    const rows = await context.db.query<{ ms: number }>(
      `select extract(epoch from accepted_at - created_at)::float8 * 1000 as ms
       from attempts where charge_id = any($1) and status = 'open'`,
      [charges],
    );
    return rows.length === charges.length ? rows.map(({ ms }) => ms) : undefined;
  });
  if (payable) return payable;
  throw new BenchFailure('Not every charge at provider A became payable.');
}

async function order({ inTx, clock }: Context, key: string, slot: Slot): Promise<string> {
  const now = clock();
  const charge = {
    ...blankCharge,
    ...{ id: newId('txn', now), mode: 'test' as const, currency: CURRENCY, metadata: {} },
    ...{ amount_kobo: 100_000, email: 'payer@example.com', provider_wanted: slot },
    expires_at: new Date(now.getTime() + DAY_MS),
  };
  const asker = {
    ...{ sha256: sha256Of(key), roles: ['secret' as const], origin: null, idempotency: undefined },
  };
  await inTx((tx) => createCharge(tx, { asker, charge, answerTemplate: '{}', now }));
  return charge.id;
}

/** Drops what still waits for provider C, and lets what is in flight there end. */
async function forgetSlow({ db }: Context): Promise<void> {
  await pause(SLOW_MS + 1_000);
  await db.query(
    `update attempts set due_at = null where slot = 'provider_c' and status <> 'open'`,
  );
}
