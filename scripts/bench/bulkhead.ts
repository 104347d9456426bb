import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../../config/context.ts';
import { createCharge } from '../../domain/payments/charge/create.ts';
import { blankCharge } from '../../domain/payments/charge/row.ts';
import { newId } from '../../domain/shared/ids.ts';
import { CURRENCY } from '../../domain/shared/money.ts';
import { sha256Of } from '../../domain/shared/sha256.ts';
import type { Slot } from '../../domain/shared/slot.ts';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { type BulkheadStack, openBulkheadStack } from './bulkhead-stack.ts';
import { median, percentile, rounded } from './figures.ts';
import { machineLine } from './machine.ts';

export const bulkhead: Bench = {
  name: 'bulkhead',
  description:
    'How long a payable link at provider A takes while provider C answers in 9 s, against the same while C is quick',
  measure,
};

const MERCHANTS = 20;
/** Charges a second, at each of the two providers. */
const RATE = 20;
const ROUNDS = 3;
const ROUND_SECONDS = 15;
const SLOW_MS = 9_000;
/** What was created last is given this long to be payable. */
const PAYABLE_WITHIN_MS = 20_000;

async function measure({ print, stopped }: BenchRun): Promise<Measured> {
  print('Starting PostgreSQL, Redis, the sandbox and the worker …');
  await using stack = await openBulkheadStack(MERCHANTS);
  print('Warming up …');
  await createCharges(stack, stopped);
  const rounds: { aloneMs: number; besideMs: number }[] = [];
  while (rounds.length < ROUNDS) {
    const aloneMs = percentile(await createCharges(stack, stopped), 99);
    await stack.slowDown(SLOW_MS);
    const besideMs = percentile(await createCharges(stack, stopped), 99);
    await stack.slowDown(0);
    await forgetSlow(stack);
    rounds.push({ aloneMs, besideMs });
    print(
      `Round ${rounds.length}: 99 % within ${aloneMs.toFixed(1)} ms while C is quick, ${besideMs.toFixed(1)} ms while it is slow`,
    );
  }
  return measuredFrom(rounds, await machineLine(stack.context));
}

/** Creates charges at A and C in turn; returns how long those at A took to be payable. */
async function createCharges(
  { context, keys, worker }: BulkheadStack,
  stopped: AbortSignal,
): Promise<number[]> {
  const startedMs = performance.now();
  const atA: Promise<string>[] = [];
  const atC: Promise<string>[] = [];
  const total = RATE * ROUND_SECONDS;
  while (atA.length < total) {
    stopped.throwIfAborted();
    const due = Math.min(total, Math.floor(((performance.now() - startedMs) / 1_000) * RATE) + 1);
    while (atA.length < due) {
      const key = keys[atA.length % keys.length]!;
      atA.push(order(context, key, 'provider_a'));
      atC.push(order(context, key, 'provider_c'));
    }
    await pause(1);
  }
  await Promise.all(atC);
  const durationsMs = await payableAfter(context, await Promise.all(atA));
  if (durationsMs) return durationsMs;
  throw new BenchFailure(
    `Not every charge at provider A became payable. The worker printed last:\n${await worker.tail()}`,
  );
}

/** Creates a charge as a request to the API does, with its job. */
async function order({ db, clock, dispatcher }: Context, key: string, slot: Slot): Promise<string> {
  const now = clock();
  const charge = {
    ...blankCharge,
    ...{ id: newId('txn', now), mode: 'test' as const, currency: CURRENCY, metadata: {} },
    ...{ amount_kobo: 100_000, email: 'payer@example.com', provider_wanted: slot },
    expires_at: new Date(now.getTime() + 86_400_000),
  };
  const asker = {
    ...{ sha256: sha256Of(key), roles: ['secret' as const], origin: null, idempotency: undefined },
  };
  const { job } = await createCharge(db, { asker, charge, answerTemplate: '{}', now });
  dispatcher.enqueue([job!]);
  return charge.id;
}

async function payableAfter(
  { db }: Context,
  charges: readonly string[],
): Promise<number[] | undefined> {
  for (const deadline = Date.now() + PAYABLE_WITHIN_MS; Date.now() < deadline; await pause(100)) {
    const rows = await db.query<{ ms: number }>(
      `select extract(epoch from accepted_at - created_at)::float8 * 1000 as ms
       from attempts where charge_id = any($1) and status = 'open'`,
      [charges],
    );
    if (rows.length === charges.length) return rows.map(({ ms }) => ms);
  }
  return undefined;
}

/** Drops what still waits for provider C, and lets what is in flight there end. */
async function forgetSlow({ context: { db } }: BulkheadStack): Promise<void> {
  await pause(SLOW_MS + 1_000);
  await db.query(
    `update attempts set due_at = null where slot = 'provider_c' and status <> 'open'`,
  );
}

function measuredFrom(
  rounds: readonly { aloneMs: number; besideMs: number }[],
  machine: string,
): Measured {
  const ratio = median(rounds.map(({ aloneMs, besideMs }) => besideMs / aloneMs));
  const besideMs = median(rounds.map((round) => round.besideMs));
  const aloneMs = median(rounds.map((round) => round.aloneMs));
  return {
    result: {
      name: bulkhead.name,
      ratio: rounded(ratio, 3),
      rate: RATE,
      p99_ms: rounded(besideMs, 1),
      p99_alone_ms: rounded(aloneMs, 1),
    },
    report: [
      '',
      `${RATE} charges a second at provider A and as many at provider C, of ${MERCHANTS} merchants, created by one worker process; C takes ${SLOW_MS / 1_000} s for every answer.`,
      'Time from the charge to its payable link at A.',
      `In turn, ${ROUNDS} rounds of ${ROUND_SECONDS} s with C slow and quick.`,
      '',
      `Ratio        ${ratio.toFixed(3)}   (median of the rounds' p99 with C slow to p99 with C quick)`,
      `C slow       99 % within ${besideMs.toFixed(1)} ms`,
      `C quick      99 % within ${aloneMs.toFixed(1)} ms`,
      `Machine      ${machine}`,
    ],
  };
}
