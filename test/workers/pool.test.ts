import { setImmediate as nextTick } from 'node:timers/promises';
import { expect } from 'chai';
import type { Context } from '../../config/context.ts';
import { type DueRow, type Job, queues } from '../../domain/jobs.ts';
import {
  discard,
  type JobHandler,
  type Outcome,
  retry,
  snooze,
} from '../../workers/job-handler.ts';
import { createJobLoop, type JobLoop } from '../../workers/pool.ts';
import { SECOND } from '../support/clock.ts';
import { leapingTime } from '../support/connection-task.ts';
import { until } from '../support/until.ts';

const QUEUE = 'webhook-deliver';
const { concurrency } = queues[QUEUE];
const TIMEOUT_MS = 200;
const now = new Date('2026-03-02T09:00:00Z');
const later = new Date('2026-03-02T09:01:00Z');

interface InFlight {
  end(outcome: Outcome): void;
  fail(error: unknown): void;
}

describe('The job loop', () => {
  let lines: [level: string, message: string, line: any][];
  let inFlight: Map<string, InFlight>;
  let statements: { text: string; values: any[] }[];
  let enqueued: Job[];
  let failing: RegExp | undefined;
  let loop: JobLoop;
  beforeEach(() => {
    [lines, inFlight, statements, enqueued, failing] = [[], new Map(), [], [], undefined];
    const logging = (level: string) => (message: string, line: object) =>
      lines.push([level, message, line]);
    const query = async (text: string, values: any[]) => {
      statements.push({ text, values });
      if (failing?.test(text)) throw new Error('no database');
      return CLAIM.test(text) ? idsOf(values).map((id) => ({ id, tries: 1, snoozes: 0 })) : [];
    };
    const context = {
      ...{ log: { info: logging('info'), error: logging('error') }, clock: () => now },
      ...{ db: { query }, dispatcher: { enqueue: (jobs: Job[]) => enqueued.push(...jobs) } },
    };
    const handler: JobHandler = {
      queue: QUEUE,
      handle: (_, rows) =>
        rows.map(({ id }) => new Promise((end, fail) => inFlight.set(id, { end, fail }))),
    };
    loop = createJobLoop(context as unknown as Context, handler, TIMEOUT_MS);
  });

  const CLAIM = /set tries/;
  const idsOf = ([ids]: any[]): string[] => ids.slice(1, -1).split(',');
  const rows = (name: string, count: number): DueRow[] =>
    Array.from({ length: count }, (_, n) => ({ id: `${name}${n}`, tries: 0 }));
  const claimed = (...ids: string[]) =>
    until(`claims of ${ids}`, async () => ids.every((id) => inFlight.has(id)));
  const completeAll = (name: string) => {
    for (const [id, row] of inFlight)
      if (id.startsWith(name)) row.end({ type: 'completed', fields: {} });
  };
  const outcomes = async (running: ReturnType<JobLoop['run']>) =>
    (await running).map(({ row, outcome }) => `${row} ${outcome}`);
  const failureOf = (promise: Promise<unknown>) => promise.catch((error) => String(error));
  const settles = () => statements.filter(({ text }) => /with settled/.test(text));

  it('claims the rows that several jobs name at one moment in one statement', async () => {
    const running = [loop.run(rows('a', 3)), loop.run(rows('b', 2))];
    await claimed('a0', 'a1', 'a2', 'b0', 'b1');
    expect(statements).to.have.length(1);
    completeAll('');
    await Promise.all(running);
    expect(statements, 'completed rows need no settling').to.have.length(1);
  });

  it('records when each row is due again, in one statement, and enqueues it for then', async () => {
    const running = loop.run(rows('a', 4));
    await claimed('a3');
    inFlight.get('a0')!.end(retry(later, 'HTTP 500'));
    inFlight.get('a1')!.end(snooze(later, 'not now'));
    inFlight.get('a2')!.end(discard('gone'));
    inFlight.get('a3')!.end({ type: 'completed' });
    expect(await outcomes(running)).to.deep.equal([
      'a0 retry',
      'a1 snooze',
      'a2 discard',
      'a3 completed',
    ]);
    const at = later.toISOString();
    expect(settles().map(({ values }) => values)).to.deep.equal([
      ['{a0,a1,a2}', '{1,1,1}', `{${at},${at},null}`, '{0,1,0}'],
    ]);
    expect(enqueued).to.deep.equal(
      ['a0', 'a1'].map((id) => ({ queue: QUEUE, id, tries: 1, dueAt: later })),
    );
  });

  it('leaves it to the handler to enqueue a snoozed row, once the snooze is recorded', async () => {
    const recorded: number[] = [];
    const running = loop.run(rows('a', 1));
    await claimed('a0');
    const onSettled = () => void recorded.push(settles().length);
    inFlight.get('a0')!.end(snooze(later, 'no free slot', { onSettled }));
    await running;
    expect([recorded, enqueued]).to.deep.equal([[1], []]);
  });

  it('settles a row while another of the same job is still in flight', async () => {
    const running = loop.run(rows('a', 2));
    await claimed('a0', 'a1');
    inFlight.get('a0')!.end(discard('gone'));
    await until('the settled row', async () => settles().length === 1);
    completeAll('a1');
    await running;
  });

  it('waits for free slots for all rows of a job', async () => {
    const first = loop.run(rows('a', concurrency));
    const second = loop.run(rows('b', 2));
    await claimed('a0');
    await nextTick();
    expect([...inFlight.keys()].filter((id) => id.startsWith('b'))).to.deep.equal([]);
    completeAll('a');
    expect(await first).to.have.length(concurrency);
    await claimed('b0', 'b1');
    completeAll('b');
    await second;
  });

  it('logs one line for the rows of a job, but for those with a reason', async () => {
    const running = loop.run(rows('a', 3));
    await claimed('a2');
    inFlight.get('a0')!.end(retry(later, 'HTTP 500'));
    completeAll('a');
    await running;
    const said = lines.map(([level, message, { row, rows: several, outcome, reason }]) => [
      ...[level, message, row ?? several, outcome, reason],
    ]);
    expect(said).to.deep.equal([
      ['info', 'job to be retried', 'a0', 'retry', 'HTTP 500'],
      ['info', 'job completed', ['a1', 'a2'], 'completed', undefined],
    ]);
  });

  it('retries a row whose handler fails, whatever it throws, and frees every slot', async () => {
    for (const error of [new Error('broken'), null, 'words']) {
      const running = loop.run(rows('a', concurrency));
      await claimed(`a${concurrency - 1}`);
      inFlight.get('a0')!.fail(error);
      completeAll('a');
      const failed = (await running).filter(({ outcome }) => outcome === 'failed');
      expect(failed.map((ending) => [ending.row, ending.error])).to.deep.equal([['a0', error]]);
      inFlight.clear();
    }
    const errors = lines.filter(([level]) => level === 'error');
    expect(errors.map(([, message, { row }]) => [message, row])).to.deep.equal(
      Array(3).fill(['job failed', 'a0']),
    );
    expect(enqueued.map(({ id }) => id)).to.deep.equal(['a0', 'a0', 'a0']);
  });

  it('gives up a job that takes too long, and leaves its row to its lease', async () => {
    const running = loop.run(rows('a', 2));
    await claimed('a0', 'a1');
    inFlight.get('a1')!.end({ type: 'completed' });
    expect(await outcomes(running)).to.deep.equal(['a0 failed', 'a1 completed']);
    expect(lines.map(([level, message]) => [level, message])).to.deep.equal([
      ['error', 'job timed out'],
      ['info', 'job completed'],
    ]);
    expect([settles(), enqueued]).to.deep.equal([[], []]);
  });

  it('retries a claim and an outcome that the database does not take at once', async () => {
    failing = /./;
    const running = loop.run(rows('a', 1));
    await until('a failed claim', async () => statements.length > 0);
    failing = /with settled/;
    await claimed('a0');
    inFlight.get('a0')!.end(retry(later, 'HTTP 500'));
    await until('a failed record', async () => settles().length > 0);
    failing = undefined;
    expect(await outcomes(running)).to.deep.equal(['a0 retry']);
    expect(enqueued).to.have.length(1);
  });

  it('logs an outcome that cannot be recorded; the row is left to its lease', async () => {
    failing = /with settled/;
    const running = loop.run(rows('a', 1));
    await claimed('a0');
    using time = leapingTime();
    inFlight.get('a0')!.end(retry(later, 'HTTP 500'));
    await until('a failed record', async () => settles().length > 0);
    time.leap(10 * SECOND);
    expect(await outcomes(running)).to.deep.equal(['a0 failed']);
    expect(lines.map(([level, message, { row }]) => [level, message, row])).to.deep.equal([
      ['error', 'job outcome not recorded; the row waits for the end of its lease', 'a0'],
    ]);
    expect(enqueued).to.deep.equal([]);
  });

  it('begins nothing new in a process that stops, and ends what is in flight', async () => {
    const first = loop.run(rows('a', concurrency));
    const waiting = failureOf(loop.run(rows('b', 1)));
    await claimed('a0');
    loop.stop();
    expect(await waiting).to.contain('begins nothing new');
    expect(await failureOf(loop.run(rows('c', 1)))).to.contain('begins nothing new');
    completeAll('a');
    expect(await first).to.have.length(concurrency);
    expect(inFlight.size).to.equal(concurrency);
  });

  it('has nothing to do for a job that names no row', async () => {
    expect([await loop.run([]), statements]).to.deep.equal([[], []]);
  });
});
