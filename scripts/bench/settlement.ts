import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../config/context.ts';
import { lagosDay } from '../../domain/shared/lagos.ts';
import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { rounded } from './figures.ts';
import { idAt } from './filling.ts';
import { LINE_AMOUNT, LINE_FEE_KOBO, LINE_PAYMENT_ID, LINE_REFERENCE } from './payout-provider.ts';
import { startProgram, startServer } from './processes.ts';
import { addTenant, type BenchStack, type BenchTenant, openStack } from './stack.ts';

const LINES = 100_000;
const FEW_LINES = 1_000;

export const settlement: Bench = {
  name: 'settlement',
  description: 'Reconciling a payout of 100,000 lines, paged and in one body: time, and memory',
  about: [
    'Read, matched, every charge settled, checked to the kobo. Memory: the most needed (held) and had (resident).',
  ],
  measure,
};

type Taken = { seconds: number; heldMb: number; residentMb: number };

async function measure(run: BenchRun): Promise<Measured> {
  const stack = await openStack(run);
  const figures: Measured['figures'] = { lines: LINES };
  for (const adapter of ['paystack', 'flutterwave']) {
    const few = await reconcileOnce(stack, adapter, FEW_LINES);
    const { seconds, heldMb, residentMb } = await reconcileOnce(stack, adapter, LINES);
    figures[`${adapter}_seconds`] = rounded(seconds, 1);
    figures[`${adapter}_held_mb`] = Math.round(heldMb);
    figures[`${adapter}_held_mb_of_1000`] = Math.round(few.heldMb);
    figures[`${adapter}_resident_mb`] = Math.round(residentMb);
    figures[`${adapter}_resident_mb_of_1000`] = Math.round(few.residentMb);
  }
  return { figures };
}

async function reconcileOnce(stack: BenchStack, adapter: string, lines: number): Promise<Taken> {
  const { run, context, dir, env } = stack;
  const { db } = context;
  run.stopped.throwIfAborted();
  run.print(`Reconciling ${lines.toLocaleString('en')} lines in ${adapter}'s wire format …`);
  const tenant = await addTenant(context);
  const { connectionId } = tenant;
  await db.query('update connections set adapter = $2 where id = $1', [connectionId, adapter]);
  await addPaidCharges(context, tenant, lines);
  const at = `${context.clock().toISOString().slice(0, 10)}T00:00:00.000Z`;
  await using scope = new AsyncDisposableStack();
  const once = { scope, programs: run.programs };
  const provider = await startServer(once, {
    ...{ name: `provider-${adapter}-${lines}`, main: 'scripts/bench/payout-provider.ts', dir },
    ...{ env: { LINES: String(lines), AT: at }, readyPath: '/' },
  });
  const reconciling = await startProgram(once, {
    ...{ name: `reconciliation-${adapter}-${lines}`, main: 'scripts/bench/reconcile-once.ts' },
    ...{ nodeArgs: ['--expose-gc'], dir },
    env: { ...env, SANDBOX_URL: provider.url, CONNECTION_ID: connectionId },
  });
  const end = await reconciling.ended;
  if (end !== 'exit code 0') throw new BenchFailure(`The reconciliation failed (${end}).`);
  await expectSettled(context, connectionId, lines);
  await db.query(
    'truncate charges, attempts, captures, timeline_entries, settlements, settlement_lines, events cascade',
  );
  return JSON.parse(await readFile(join(dir, `${reconciling.name}.log`), 'utf8'));
}

async function expectSettled({ db }: Context, connectionId: string, lines: number): Promise<void> {
  const [found] = await db.query<{ settled: number; landed: number; open: number }>(
    `select (select count(*) from charges where status = 'settled') as settled,
       (select count(*) from settlements where connection_id = $1 and status = 'landed'
         and transaction_count = $2
         and landed_amount_kobo = expected_amount_kobo) as landed,
       (select count(*) from discrepancies where connection_id = $1) as open`,
    [connectionId, lines],
  );
  if (found!.settled === lines && found!.landed === 1 && found!.open === 0) return;
  throw new BenchFailure(`The payout did not add up: ${JSON.stringify(found)} of ${lines} lines.`);
}

const IN_ONE_STATEMENT = 10_000;

/** Charges paid as the payout's lines will say, with their day of settlement known. */
async function addPaidCharges(
  { db, clock }: Context,
  { tenantId, connectionId }: BenchTenant,
  lines: number,
): Promise<void> {
  const now = clock();
  const [charge, attempt, capture] = [idAt('txn', now), idAt('att', now), idAt('cap', now)];
  for (let first = 1; first <= lines; first += IN_ONE_STATEMENT)
    await db.query(
      `with paid as (
       select n, ${charge} as charge_id, ${attempt} as attempt_id, ${capture} as capture_id,
         ${LINE_REFERENCE} as reference, (${LINE_PAYMENT_ID})::text as payment_id,
         ${LINE_AMOUNT} as amount_kobo
       from generate_series($3::bigint, $7::bigint) n
     ), charged as (
       insert into charges (id, tenant_id, mode, number, status, amount_kobo, fee_kobo, currency,
         email, metadata, provider_wanted, slot, connection_id, created_by, channel,
         provider_reference, capture_id, occurred_at, created_at, expires_at)
       select charge_id, $1, 'test', n, 'succeeded', amount_kobo, $5, 'NGN',
         'customer-' || n || '@mail.example', '{}', 'auto', 'provider_a', $2, 'secret', 'card',
         payment_id, capture_id, $4, $4, $4 from paid
     ), attempted as (
       insert into attempts (id, charge_id, connection_id, slot, reference, status, sent_at,
         created_at)
       select attempt_id, charge_id, $2, 'provider_a', reference, 'captured', $4, $4 from paid
     )
     insert into captures (id, charge_id, attempt_id, connection_id, provider_payment_id, status,
       amount_kobo, fee_kobo, currency, channel, captured_at, recorded_at, settles_on)
     select capture_id, charge_id, attempt_id, $2, payment_id, 'applied', amount_kobo, $5, 'NGN',
       'card', $4, $4, $6::date
     from paid`,
      [
        ...[tenantId, connectionId, first, now, LINE_FEE_KOBO, lagosDay(now)],
        Math.min(lines, first + IN_ONE_STATEMENT - 1),
      ],
    );
  await db.query('vacuum analyze charges, attempts, captures');
}
