import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { troubleIn } from '../../../scripts/chaos/operators.ts';
import { outageOf, outages, tableOf, withTable } from '../../../scripts/chaos/outages.ts';

const fault = { kind: 'Redis full', target: 'redis', beganAtMs: 1_000, endedAtMs: 121_000 };
const answer = (key: string, askedAtMs: number, outcome: string, ms = 10) => ({
  ...{ idempotencyKey: key, askedAtMs, outcome, ms },
});
const answers = [
  answer('before', 900, '503 unavailable'),
  answer('a', 2_000, '503 unavailable', 30),
  answer('a', 3_000, '201'),
  answer('b', 4_000, '201', 20),
  answer('c', 120_000, 'timed out', 12_000),
  answer('c', 122_000, '201'),
];
const saw = {
  readiness: { api: { '200': 3, '503 database: false': 1 }, workers: { '200': 4 } },
  alerts: { QueueStoreAway: 'firing' } as const,
  log: [{ level: 'warn', message: 'sweep failed', count: 2, first: 'OOM' } as const],
};
const payments = [{ paidAtMs: 5_000 }, { paidAtMs: 130_000 }] as never;

describe('The table of outages', () => {
  it('tells what customers and operators saw while the fault lasted', () => {
    const { customers, lasted_s } = outageOf(fault, saw, answers, { payments });
    const refused = { '503 unavailable': 1, 'timed out': 1 };
    const times = { p50_ms: 25, p99_ms: 11_641 };
    expect(lasted_s).to.equal(120);
    expect(customers).to.deep.equal({ charges: 3, accepted: 2, refused, ...times, payments: 1 });
  });

  it('leads from each row to what an operator does', () => {
    const outage = { kind: 'Redis full', ...outageOf(fault, saw, answers, { payments }) };
    const run = { rate: 10, seconds: 120, lost: 0, settled_after_ms: 2_400, outage };
    const text = withTable('a\n<!-- outages -->\nold\n<!-- /outages -->\nb', [run]);
    expect(text).to.equal(`a\n<!-- outages -->\n${tableOf([run])}\n<!-- /outages -->\nb`);
    expect(text.split('\n')[4]).to.match(
      /^\| \[Redis full\]\(#20-redis-is-full\), 10\/s for 120 s \|/,
    );
    expect(text).to.include('`503 database: false` × 1').and.to.include('| nothing |');
  });

  it('names headings that the runbook has', async () => {
    const runbook = await readFile(new URL('../../../config/runbook.md', import.meta.url), 'utf8');
    for (const heading of Object.values(outages)) expect(runbook).to.include(`\n## ${heading}\n`);
  });

  it('counts lines of the log at warn and error by message', () => {
    const line = (level: string, message: string, more = {}) =>
      JSON.stringify({ error: 'first\nof two', level, message, ...more });
    const text = [
      line('info', 'request'),
      line('error', 'request', { status: 503 }),
      ...[line('warn', 'sweep failed'), line('warn', 'sweep failed'), 'cut off'],
    ].join('\n');
    expect(troubleIn(text)).to.deep.equal([
      { level: 'warn', message: 'sweep failed', count: 2, first: 'first' },
      { level: 'error', message: 'request, 503', count: 1, first: 'first' },
    ]);
  });
});
