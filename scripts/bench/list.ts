import { MAX_SNAPSHOTTED, takeSnapshots } from '../../domain/journal/snapshots.ts';
import { DAY_MS } from '../../domain/shared/units.ts';
import { migrateDatabase } from '../migrate-database.ts';
import type { Bench, BenchRun, Measured } from './bench.ts';
import { inRounds, percentile, rounded } from './figures.ts';
import {
  amountKoboOf,
  customersOf,
  emailOf,
  fillLedger,
  HEAVY_AMOUNT_KOBO,
  HEAVY_EMAIL,
  HEAVY_PHONE,
  type LedgerSize,
  phoneOf,
  settlementOf,
  TRIED_LINK,
} from './list-rows.ts';
import { timedGet } from './load.ts';
import { fillPostings } from './posting-rows.ts';
import { addTenant, type BenchStack, openOn, openStack, startApi } from './stack.ts';

const LARGE = 3_000_000;
const SMALL = 10_000;
/** Enough that each filter is asked for with each of its values, several times. */
const ROUNDS = 360;
const WARM_UP_ROUNDS = 27;

export const list: Bench = {
  name: 'list',
  description:
    'GET /transactions and /balance-transactions by every pair of filters, and GET /balances, on three million charges and ten thousand',
  options: { '--charges <number>': `of the large ledger; default: ${LARGE}` },
  about: [
    `Milliseconds of the first and second page, one request at a time, out of all charges and of ${SMALL}.`,
    'Ratio: the worst 99th percentile of the large ledger to the worst of the small one.',
    'Balances: the 99th percentile of the large ledger, now and at any moment of its year.',
  ],
  measure,
};

async function measure(run: BenchRun): Promise<Measured> {
  const stack = await openStack(run);
  const end = stack.context.clock();
  const small = await openLedger(stack, SMALL, end);
  const large = await openLedger(stack, Number(run.options.charges ?? LARGE), end);
  const questions = Object.fromEntries(
    [...questionsOf(small, 0).keys()].flatMap((name) => [
      [`small ${name}`, (round: number) => ask(small, name, round)],
      [name, (round: number) => ask(large, name, round)],
    ]),
  );
  run.print('Warming up …');
  await inRounds(run, WARM_UP_ROUNDS, questions);
  run.print(`Measuring, ${ROUNDS} rounds …`);
  const rounds = await inRounds(run, ROUNDS, questions);
  const figures = Object.keys(questions).map((name) => {
    const ms = rounds.flatMap((round) => round[name]!);
    return { name, p50: percentile(ms, 50), p99: percentile(ms, 99) };
  });
  const worst = (isSmall: boolean) =>
    figures
      .filter(({ name }) => name.startsWith('small ') === isSmall)
      .reduce((slowest, one) => (one.p99 > slowest.p99 ? one : slowest));
  const [slowest, slowestSmall] = [worst(false), worst(true)];
  return {
    figures: {
      ratio: rounded(slowest.p99 / slowestSmall.p99, 3),
      worst_pair: slowest.name,
      p99_ms: rounded(slowest.p99, 2),
      p99_small_ms: rounded(slowestSmall.p99, 2),
      ...Object.fromEntries(
        figures
          .filter(({ name }) => name.startsWith('/balances'))
          .map(({ name, p99 }) => [`${name.slice(1).replace(' ', '_')}_p99_ms`, rounded(p99, 2)]),
      ),
    },
    details: figures.map(
      ({ name, p50, p99 }) =>
        `${name.padEnd(42)} p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    ),
  };
}

export type Ledger = Awaited<ReturnType<typeof openLedger>>;

/** Enough for the limit per key and minute, however quick the machine is. */
const SECRET_KEYS = 200;

export async function openLedger(stack: BenchStack, rows: number, end: Date) {
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
  await fillPostings(databaseUrl);
  while ((await takeSnapshots({ db: context.db, now: end }, MAX_SNAPSHOTTED)) > 0);
  return { tenantId, rows, end, keys, context, api: await startApi({ ...stack, env }) };
}

async function ask(ledger: Ledger, name: string, round: number): Promise<number[]> {
  const { api, keys } = ledger;
  const queries = questionsOf(ledger, round).get(name)!;
  const query = new URLSearchParams(queries[round % queries.length]).toString();
  const headers = { Authorization: `Bearer ${keys[round % keys.length]}` };
  const list = `${api.url}/v1${name.split(' ')[0]}?${query}`;
  const first = await timedGet(list, headers);
  const { next_cursor: cursor } = JSON.parse(first.text);
  if (cursor === undefined) return [first.ms];
  return [first.ms, (await timedGet(`${list}&cursor=${cursor}`, headers)).ms];
}

/** By the path and the filters they use. */
function questionsOf(ledger: LedgerSize, round: number): Map<string, Query[]> {
  const { type, at, ...ofTransactions } = valuesOf(ledger, round);
  const { provider, from, to } = ofTransactions;
  const named = (path: string, values: Record<string, string[]>) =>
    [...queriesOf(values)].map(([names, each]) => [`${path} ${names}`, each] as const);
  return new Map([
    ...named('/transactions', ofTransactions),
    ...named('/balance-transactions', { type: type!, provider: provider!, from: from!, to: to! }),
    ...named('/balances', { at: at! }),
    ['/balances', [{}]],
  ]);
}

/** For each filter a common value, a rare one, and one without charges. */
function valuesOf(ledger: LedgerSize, round: number): Record<string, string[]> {
  const day = (daysAgo: number) =>
    new Date(ledger.end.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  const customer = (round * 7_919) % customersOf(ledger);
  return {
    status: ['settled', 'disputed', 'initiated'],
    provider: ['provider_a', 'provider_c'],
    channel: ['card', 'qr', 'mobile_money'],
    customer: [
      HEAVY_EMAIL,
      emailOf(customer),
      HEAVY_PHONE,
      phoneOf(customer),
      'nobody@mail.example',
    ],
    amount_kobo: [`${HEAVY_AMOUNT_KOBO}`, `${amountKoboOf(round)}`, '1'],
    merchant_reference: [`ORDER-${round}`, 'none'],
    provider_reference: [`T${round}`, 'none'],
    settlement_id: [settlementOf(new Date(ledger.end.getTime() - (round % 300) * DAY_MS))],
    payment_link: [TRIED_LINK, TRIED_LINK.replace('1', '2')],
    from: [day(366), day(1), day(-2)],
    to: [day(-2), day(364), day(367)],
    type: ['capture', 'dispute', 'difference'],
    at: [new Date(ledger.end.getTime() - Math.random() * 366 * DAY_MS).toISOString()],
  };
}

type Query = Record<string, string>;

export function queriesOf(values: Record<string, string[]>): Map<string, Query[]> {
  const single: Query[][] = Object.entries(values).map(([name, each]) =>
    each.map((value) => ({ [name]: value })),
  );
  const pairs = single.flatMap((one, index) =>
    single
      .slice(index + 1)
      .flatMap((other) => one.flatMap((a) => other.map((b) => ({ ...a, ...b })))),
  );
  const queries = [...single.flat(), ...pairs];
  // Days that run backwards are refused.
  const valid = queries.filter(({ from = '', to }) => to === undefined || from <= to);
  return Map.groupBy(valid, (query) => Object.keys(query).join('+'));
}
