import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { openBenchStack } from './bench-stack.ts';
import { percentile, rounded } from './figures.ts';
import { type Ledger, openLedger } from './list-ledger.ts';
import { type ListQuery, roundOf } from './list-queries.ts';
import { machineLine } from './machine.ts';

export const list: Bench = {
  name: 'list',
  description:
    'GET /transactions by every filter and every pair of filters, on three million charges against ten thousand',
  measure,
};

const LARGE = 3_000_000;
const SMALL = 10_000;
const WARM_UP_ROUNDS = 3;
const ROUNDS = 40;

async function measure(run: BenchRun): Promise<Measured> {
  run.print('Starting PostgreSQL and Redis …');
  await using stack = await openBenchStack();
  const end = stack.context.clock();
  const opened = async (rows: number) => {
    run.stopped.throwIfAborted();
    run.print(`Writing ${rows} charges …`);
    return openLedger(stack, rows, end);
  };
  await using small = await opened(SMALL);
  await using large = await opened(LARGE);
  const durations = await askInTurn(small, large, run);
  const figures = [...durations].map(([filters, { smallMs, largeMs }]) =>
    figureOf(filters, smallMs, largeMs),
  );
  return { result: resultOf(figures), report: reportOf(figures, await machineLine(stack.context)) };
}

/** How long answers took, by the filters that were asked for. */
type Durations = Map<string, { smallMs: number[]; largeMs: number[] }>;

/**
 * Asks both ledgers every question, round by round, one request at a time: what slows the machine
 * for a while slows both.
 */
async function askInTurn(
  small: Ledger,
  large: Ledger,
  { print, stopped }: BenchRun,
): Promise<Durations> {
  const durations: Durations = new Map();
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    if (round <= 0) print(round < 0 ? 'Warming up …' : `Measuring, ${ROUNDS} rounds …`);
    const largeQuestions = roundOf(large, round + WARM_UP_ROUNDS);
    for (const [index, listQuery] of roundOf(small, round + WARM_UP_ROUNDS).entries()) {
      stopped.throwIfAborted();
      const smallMs = await ask(small, listQuery, round + index);
      const largeMs = await ask(large, largeQuestions[index]!, round + index);
      if (round < 0) continue;
      const known = durations.get(listQuery.filters) ?? { smallMs: [], largeMs: [] };
      durations.set(listQuery.filters, {
        smallMs: [...known.smallMs, ...smallMs],
        largeMs: [...known.largeMs, ...largeMs],
      });
    }
  }
  return durations;
}

/** Asks for the first page, and for the second where there is one; returns how long each took. */
async function ask({ api, keys }: Ledger, { query }: ListQuery, turn: number): Promise<number[]> {
  const headers = { Authorization: `Bearer ${keys[Math.abs(turn) % keys.length]}` };
  const first = await page(api.url, query, headers);
  if (first.nextCursor === undefined) return [first.ms];
  const second = await page(api.url, `${query}&cursor=${first.nextCursor}`, headers);
  return [first.ms, second.ms];
}

async function page(
  url: string,
  query: string,
  headers: Record<string, string>,
): Promise<{ ms: number; nextCursor: string | undefined }> {
  const begun = performance.now();
  const response = await fetch(`${url}/v1/transactions?${query}`, { headers });
  const text = await response.text();
  const ms = performance.now() - begun;
  if (!response.ok)
    throw new BenchFailure(`?${query} was answered ${response.status}: ${text.slice(0, 500)}`);
  return { ms, nextCursor: JSON.parse(text).next_cursor };
}

/** One filter or pair of filters, over all its values. */
interface Figure {
  filters: string;
  p50Ms: number;
  p99Ms: number;
  p50SmallMs: number;
  p99SmallMs: number;
}

function figureOf(filters: string, smallMs: readonly number[], largeMs: readonly number[]): Figure {
  return {
    filters,
    p50Ms: percentile(largeMs, 50),
    p99Ms: percentile(largeMs, 99),
    p50SmallMs: percentile(smallMs, 50),
    p99SmallMs: percentile(smallMs, 99),
  };
}

/** The slowest of all filters on the large ledger, against the slowest on the small one. */
function resultOf(figures: readonly Figure[]) {
  const worst = figures.reduce((slowest, figure) =>
    figure.p99Ms > slowest.p99Ms ? figure : slowest,
  );
  const worstSmallMs = Math.max(...figures.map(({ p99SmallMs }) => p99SmallMs));
  return {
    name: list.name,
    ratio: rounded(worst.p99Ms / worstSmallMs, 3),
    worst_pair: worst.filters,
    p99_ms: rounded(worst.p99Ms, 2),
    p99_small_ms: rounded(worstSmallMs, 2),
  };
}

function reportOf(figures: readonly Figure[], machine: string): string[] {
  const { ratio, worst_pair, p99_ms, p99_small_ms } = resultOf(figures);
  const cell = (value: string | number) =>
    (typeof value === 'number' ? value.toFixed(1) : value).padStart(10);
  return [
    '',
    `GET /transactions over HTTP, one request at a time: pages of 25 out of ${LARGE} charges, and out of ${SMALL}, in turn.`,
    'Every filter and every pair of filters, with values that most charges have, few have and none has; first and second pages. Milliseconds.',
    '',
    `${''.padEnd(20)}${['p50', 'p99', 'p50 small', 'p99 small'].map(cell).join('')}`,
    ...figures.map(
      ({ filters, p50Ms, p99Ms, p50SmallMs, p99SmallMs }) =>
        `${filters.padEnd(20)}${[p50Ms, p99Ms, p50SmallMs, p99SmallMs].map(cell).join('')}`,
    ),
    '',
    `Ratio        ${ratio}   (the worst p99 of the large ledger, ${worst_pair}: ${p99_ms} ms; the worst of the small one: ${p99_small_ms} ms)`,
    `Machine      ${machine}`,
  ];
}
