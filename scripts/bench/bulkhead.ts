import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../config/context.ts';
import { orderCharge } from '../local/order-charge.ts';
import { registerSandboxAccounts } from '../sandbox-tenant.ts';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { measureBeside } from './figures.ts';
import { keepRate } from './rate.ts';
import { setFaults, startSandbox } from './sandbox.ts';
import { addTenant, openStack, startWorkers, untilAccepted } from './stack.ts';

const MERCHANTS = 20;
const RATE = 20;
const ROUNDS = 3;
const ROUND_SECONDS = 15;
const SLOW_MS = 9_000;
const PAYABLE_WITHIN_MS = 20_000;
const ORDER = { amount_kobo: 100_000, email: 'payer@example.com' };

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
  await startWorkers(stack, { pools: ['charge-create'] });
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
    const [atA] = await Promise.all(
      slots.map((slot) =>
        context.inTx((tx) => orderCharge(tx, tx.now, key, { ...ORDER, provider_wanted: slot })),
      ),
    );
    return atA!.chargeId;
  });
  const charges = await Promise.all(begun);
  const patience = { everyMs: 100, withinMs: PAYABLE_WITHIN_MS, ended: stopped };
  const payable = await untilAccepted(context, { charge_id: charges }, charges.length, patience);
  if (payable) return payable;
  throw new BenchFailure('Not every charge at provider A became payable.');
}

/** Drops what still waits for provider C, and lets what is in flight there end. */
async function forgetSlow({ db }: Context): Promise<void> {
  await pause(SLOW_MS + 1_000);
  const ofC = `slot = 'provider_c' and status <> 'open'`;
  await db.query(`update attempts set due_at = null where ${ofC}`);
}
