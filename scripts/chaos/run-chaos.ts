import { setTimeout as pause } from 'node:timers/promises';
import { keepRate } from '../bench/rate.ts';
import { until } from '../local/until.ts';
import { audit } from './audit.ts';
import { serveCustomer } from './customers.ts';
import { type Fault, faults } from './faults.ts';
import { startFeedReaders } from './feed-readers.ts';
import type { Market } from './market.ts';
import { openMerchants } from './merchants.ts';
import { type OperatorsSaw, openWatch, type Watch } from './operators.ts';
import { planFaults, planOutage } from './plan.ts';
import { type ChaosRecords, readRecords } from './records.ts';
import type { PastFault } from './recovery.ts';
import { type ChaosStack, openChaosStack } from './stack.ts';

export interface ChaosOptions {
  seed: number;
  seconds: number;
  only?: string | undefined;
  /** A revision of the service whose processes run beside this one's at times. */
  beside?: string | undefined;
  rate: number;
  /** The fault named by `only` lasts for `seconds`, and those on call are watched, too. */
  isOutage?: boolean;
  stopped: AbortSignal;
  print(line: string): void;
}

export type ChaosRun = Awaited<ReturnType<typeof runChaos>>;

/** No merchant asks for more than a key may. */
const merchantsFor = (perSecond: number) => Math.max(12, Math.ceil(perSecond));
/**
 * Payments without notification are found in two minutes, unclear refunds after five. What came
 * during an outage may take as long again.
 */
const SETTLES_WITHIN_MS = 8 * 60_000;
const LOOKS_EVERY_MS = 3_000;
/** Between two faults, however long the first one took to end. */
const CALM_MS = 3_000;
/** The other version has charges of its own until then. */
const BEFORE_UPGRADE_MS = 10_000;
/** Customers come so long after an outage. */
const AROUND_MS = 5_000;
/** Something done twice is done within this, mostly. */
const STAYS_CLEAN_MS = 6_000;

/** Runs the whole service on this machine's own clock, disturbs it, and audits every side. */
export async function runChaos(options: ChaosOptions) {
  const { seed, seconds, stopped, print } = options;
  print('Starting PostgreSQL, Redis, the providers, two APIs and two workers …');
  await using scope = new AsyncDisposableStack();
  const stack = await openChaosStack(scope, options.beside);
  const merchants = await openMerchants(scope, stack, merchantsFor(options.rate));
  const watch = options.isOutage ? await openWatch(scope, stack) : undefined;
  const ending = new AbortController();
  scope.defer(() => ending.abort());
  const ended = AbortSignal.any([ending.signal, stopped]);
  const said = { orders: [], refunds: [], refusals: [], answers: [] };
  const market: Market = { stack, merchants, seed, ended, ...said };
  const leaving = new AbortController();
  const readers = startFeedReaders(stack.apiUrl, merchants.all, ended);
  print(`Serving ${options.rate} customers a second, seed ${seed} …`);
  const startedAtMs = Date.now();
  const closing = new AbortController();
  const disturbed = disturb(stack, options, startedAtMs, watch)
    .then(async (past) => {
      if (watch) await pause(AROUND_MS);
      return past;
    })
    .finally(() => closing.abort());
  const rate = watch
    ? { perSecond: options.rate, until: closing.signal }
    : { perSecond: options.rate, count: options.rate * seconds };
  const [{ begun: customers }, past] = await Promise.all([
    keepRate({ ...rate, stopped }, (number) =>
      serveCustomer({ ...market, ended: AbortSignal.any([leaving.signal, ended]) }, number),
    ),
    disturbed,
  ]);
  const healedAtMs = Date.now();
  print('The faults are over: waiting until everything is finished …');
  const settlesWithinMs = SETTLES_WITHIN_MS + (watch ? seconds * 1_000 : 0);
  const deadlineMs = healedAtMs + settlesWithinMs;
  const lateBy = pause(settlesWithinMs, undefined, { ref: false, signal: stopped });
  let served = 0;
  for (const customer of customers) void customer.then(() => served++);
  await Promise.race([Promise.all(customers), lateBy]);
  if (served < customers.length)
    market.refusals.push(`${customers.length - served} customers were still not served`);
  // Their deeds while the sides are read would differ from one side to the next.
  leaving.abort();
  await Promise.all(customers);
  // It is due at night.
  await stack.query(`update connection_tasks set due_at = now() where task = 'books'`);
  await untilClean(market, readers.read, deadlineMs, options);
  const settledInMs = Date.now() - healedAtMs;
  await pause(STAYS_CLEAN_MS);
  await readers.finish();
  const records = await readRecords(market, readers.read);
  const { answers } = market;
  return { faults: past, findings: audit(records), records, answers, settledInMs };
}

async function disturb(
  stack: ChaosStack,
  { seed, seconds, only, stopped, print }: ChaosOptions,
  startedAtMs: number,
  watch?: Watch,
): Promise<(PastFault & { saw?: OperatorsSaw | undefined })[]> {
  const past: (PastFault & { saw?: OperatorsSaw | undefined })[] = [];
  const named = Object.entries<Fault>(faults).filter(([name]) => name.includes(only ?? ''));
  const wanted = Object.fromEntries(named);
  if (!stack.disk.isSmall) delete wanted['disk full'];
  if (!stack.otherVersion) delete wanted['other version beside'];
  let notBeforeMs = startedAtMs;
  if (stack.otherVersion) {
    await pause(BEFORE_UPGRADE_MS, undefined, { signal: stopped });
    const beganAtMs = Date.now();
    await stack.upgrade();
    const endedAtMs = Date.now();
    past.push({ kind: 'upgraded', target: 'services', beganAtMs, endedAtMs });
    print(`Upgraded in ${((endedAtMs - beganAtMs) / 1_000).toFixed(1)} s.`);
    notBeforeMs = endedAtMs + CALM_MS;
  }
  const durationMs = seconds * 1_000;
  const plan = watch ? planOutage(wanted, durationMs) : planFaults(wanted, seed, durationMs);
  for (const { kind, target, atMs, forMs } of plan) {
    const dueAtMs = Math.max(startedAtMs + atMs, notBeforeMs);
    if (dueAtMs > startedAtMs + durationMs) break; // earlier ones took longer than planned
    await pause(dueAtMs - Date.now(), undefined, { signal: stopped });
    const fault = wanted[kind]!;
    await fault.prepare?.(stack);
    const beganAtMs = Date.now();
    const strike = async () => {
      await fault.begin(stack, target);
      await pause(forMs, undefined, { signal: stopped });
      await fault.end?.(stack, target);
    };
    const saw = watch ? await watch.during(strike) : await strike();
    const endedAtMs = Date.now();
    past.push({ kind, target, beganAtMs, endedAtMs, ...(saw && { saw }) });
    notBeforeMs = endedAtMs + CALM_MS;
    const [from, to] = [beganAtMs, endedAtMs].map((ms) => ((ms - startedAtMs) / 1_000).toFixed(1));
    print(`${from!.padStart(6)} s to ${to!.padStart(6)} s: ${kind}, ${target}`);
  }
  return past;
}

async function untilClean(
  market: Market,
  read: ChaosRecords['read'],
  deadlineMs: number,
  { stopped, print }: ChaosOptions,
): Promise<void> {
  const withinMs = deadlineMs - Date.now();
  await until({ everyMs: LOOKS_EVERY_MS, withinMs, ended: stopped }, async () => {
    // A process that ended and a refusal are mended by no time, and not waited for.
    const records = { ...(await readRecords(market, read)), unexpectedEnds: [], refusals: [] };
    const findings = audit(records);
    const [first] = findings;
    if (first) print(`${findings.length} to go, among them: ${first.what.split('\n')[0]}`);
    return first ? undefined : true;
  });
}
