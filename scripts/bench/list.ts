import { type Bench, BenchFailure, type BenchRun, type Measured } from './bench.ts';
import { percentile, rounded } from './figures.ts';
import { type Ledger, openLedger } from './list-ledger.ts';
import { type ListQuery, roundOf } from './list-queries.ts';
import { openStack } from './stack.ts';
import { timeRounds } from './timings.ts';

const LARGE = 3_000_000;
const SMALL = 10_000;
const ROUNDS = 40;

export const list: Bench = {
  name: 'list',
  description:
    'GET /transactions by every filter and every pair of filters, on three million charges against ten thousand',
  about: [
    `GET /transactions over HTTP, one request at a time: pages of 25 out of ${LARGE} charges, and out of ${SMALL}, in turn.`,
    'Every filter and every pair of filters, with values that most charges have, few have and none has; first and second pages. Milliseconds.',
    'Ratio: the worst 99th percentile of the large ledger to the worst of the small one.',
  ],
  measure,
};

async function measure(run: BenchRun): Promise<Measured> {
  const stack = await openStack(run);
  const end = stack.context.clock();
  const small = await openLedger(stack, SMALL, end);
  const large = await openLedger(stack, LARGE, end);
  const durations = await timeRounds(run, ROUNDS, (round) => {
    const ofLarge = roundOf(large, round);
    return roundOf(small, round).flatMap((query, index) => [
      { name: `small ${query.filters}`, ask: () => ask(small, query, round + index) },
      { name: query.filters, ask: () => ask(large, ofLarge[index]!, round + index) },
    ]);
  });
  const isSmall = (name: string) => name.startsWith('small ');
  const figures = [...durations].map(([name, ms]) => {
    const [p50, p99] = [percentile(ms, 50), percentile(ms, 99)];
    return { name, p50, p99 };
  });
  const worst = (among: typeof figures) =>
    among.reduce((slowest, one) => (one.p99 > slowest.p99 ? one : slowest));
  const slowest = worst(figures.filter(({ name }) => !isSmall(name)));
  const slowestSmall = worst(figures.filter(({ name }) => isSmall(name)));
  return {
    figures: {
      ratio: rounded(slowest.p99 / slowestSmall.p99, 3),
      worst_pair: slowest.name,
      p99_ms: rounded(slowest.p99, 2),
      p99_small_ms: rounded(slowestSmall.p99, 2),
    },
    details: figures.map(
      ({ name, p50, p99 }) =>
        `${name.padEnd(28)} p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    ),
  };
}

/** Asks for the first page, and for the second where there is one; returns how long each took. */
async function ask({ api, keys }: Ledger, { query }: ListQuery, turn: number): Promise<number[]> {
  const headers = { Authorization: `Bearer ${keys[turn % keys.length]}` };
  const first = await page(api.url, query, headers);
  if (first.nextCursor === undefined) return [first.ms];
  const second = await page(api.url, `${query}&cursor=${first.nextCursor}`, headers);
  return [first.ms, second.ms];
}

async function page(url: string, query: string, headers: Record<string, string>) {
  const begun = performance.now();
  const response = await fetch(`${url}/v1/transactions?${query}`, { headers });
  const text = await response.text();
  const ms = performance.now() - begun;
  if (!response.ok)
    throw new BenchFailure(`?${query} was answered ${response.status}: ${text.slice(0, 500)}`);
  return { ms, nextCursor: JSON.parse(text).next_cursor as string | undefined };
}
