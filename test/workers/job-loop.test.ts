import { setImmediate as nextTick } from 'node:timers/promises';
import { expect } from 'chai';
import type { Context } from '../../config/context.ts';
import { createMetrics } from '../../config/observability/metrics.ts';
import { noTracing } from '../../config/observability/tracing.ts';
import { type Job, queues } from '../../domain/jobs.ts';
import {
  discard,
  type JobHandler,
  type Outcome,
  retry,
  snooze,
} from '../../workers/job-handler.ts';
import { createJobLoop, type JobLoop } from '../../workers/job-loop.ts';
import { SECOND } from '../support/clock.ts';
import { leapingTime } from '../support/connection-task.ts';
import { until } from '../support/until.ts';

const QUEUE = 'webhook-deliver';
const { maxPerGroup, maxPerFailingGroup } = queues[QUEUE];
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
  let failingSince: Date | null;
  let inTable: Record<string, string[]>;
  let loop: JobLoop;
  let startLoop: (queue: JobHandler['queue']) => JobLoop;
  beforeEach(() => {
    [lines, inFlight, statements, enqueued, failing] = [[], new Map(), [], [], undefined];
    [failingSince, inTable] = [null, {}];
    const logging = (level: string) => (message: string, line: object) =>
      lines.push([level, message, line]);
    const query = async (text: string, values: any[]) => {
      statements.push({ text, values });
      if (failing?.test(text)) throw new Error('no database');
      return CLAIM.test(text) ? claim(groupsOf(values)) : [];
    };
    const context = {
      ...{ log: { info: logging('info'), error: logging('error') }, clock: () => now },
      metrics: createMetrics(),
      tracing: noTracing,
      ...{ db: { query }, dispatcher: { enqueue: (jobs: Job[]) => enqueued.push(...jobs) } },
    };
    const handler: JobHandler = {
      queue: QUEUE,
      handle: (_, rows) =>
        rows.map(({ id }) => new Promise((end, fail) => inFlight.set(id, { end, fail }))),
    };
    loop = createJobLoop(context as unknown as Context, handler, TIMEOUT_MS);
    startLoop = (queue) =>
      createJobLoop(context as unknown as Context, { ...handler, queue }, TIMEOUT_MS);
  });

  const CLAIM = /set tries/;
  const listOf = (values: string): string[] => values.slice(1, -1).split(',');
  const groupsOf = ([groups, counts]: any[]) =>
    listOf(groups).map((group, n) => ({ group, count: Number(listOf(counts)[n]) }));
  const claim = (wanted: { group: string; count: number }[]) =>
    wanted.flatMap(({ group, count }) =>
      (inTable[group] ?? []).splice(0, count).map((id) => ({
        ...{ id, endpoint_id: group, connection_id: group, tries: 1, snoozes: 0 },
        failing_since: failingSince,
      })),
    );
  const claims = () =>
    statements.filter(({ text }) => CLAIM.test(text)).map(({ values }) => groupsOf(values));
  const idsFrom = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${name}${n}`);
  const begin = (group: string, count: number, name = group) => {
    inTable[group] = [...(inTable[group] ?? []), ...idsFrom(name, count)];
    return loop.begin([group]);
  };
  const inFlightOf = (name: string) => [...inFlight.keys()].filter((id) => id.startsWith(name));
  const claimed = (...ids: string[]) =>
    until(`claims of ${ids}`, async () => ids.every((id) => inFlight.has(id)));
  const completeAll = (name: string) => {
    for (const [id, row] of inFlight)
      if (id.startsWith(name)) row.end({ type: 'completed', fields: {} });
  };
  const outcomes = async (running: ReturnType<JobLoop['begin']>) =>
    (await running).map(({ row, outcome }) => `${row} ${outcome}`);
  const failureOf = (promise: Promise<unknown>) => promise.catch((error) => String(error));
  const settles = () => statements.filter(({ text }) => /with settled/.test(text));

  it('claims the rows of groups that begin at one moment in one statement', async () => {
    const running = [begin('a', 3), begin('b', 2)];
    await claimed('a0', 'a1', 'a2', 'b0', 'b1');
    expect(claims()).to.have.length(1);
    completeAll('');
    expect((await Promise.all(running)).map(({ length }) => length)).to.deep.equal([3, 2]);
    expect(statements, 'completed rows need no settling').to.have.length(1);
  });

  it('records when each row is due again, in one statement, and enqueues it for then', async () => {
    const running = begin('a', 4);
    await claimed('a3');
    inFlight.get('a0')!.end(retry(later, 'HTTP 500'));
    inFlight.get('a1')!.end(snooze(later, 'not now'));
    inFlight.get('a2')!.end(discard('gone'));
    inFlight.get('a3')!.end({ type: 'completed' });
    const ends = ['a0 retry', 'a1 snooze', 'a2 discard', 'a3 completed'];
    expect(await outcomes(running)).to.deep.equal(ends);
    const at = later.toISOString();
    expect(settles().map(({ values }) => values)).to.deep.equal([
      ['{a0,a1,a2}', '{1,1,1}', `{${at},${at},null}`, '{0,1,0}', ['HTTP 500', null, null]],
    ]);
    expect(enqueued).to.deep.equal(
      ['a0', 'a1'].map((id) => ({ queue: QUEUE, id, group: 'a', dueAt: later })),
    );
  });

  it('settles a row while another of the same claim is still in flight', async () => {
    const running = begin('a', 2);
    await claimed('a0', 'a1');
    inFlight.get('a0')!.end(discard('gone'));
    await until('the settled row', async () => settles().length === 1);
    completeAll('a1');
    await running;
  });

  it('claims no row of a group without a free slot, and says so at once', async () => {
    const first = begin('a', maxPerGroup);
    await claimed('a0');
    const before = claims().length;
    expect(loop.room('a')).to.equal(0);
    expect(await begin('a', 5, 'later')).to.deep.equal([]);
    expect(claims()).to.have.length(before);
    const other = begin('b', 2);
    await claimed('b0', 'b1');
    inTable = {};
    completeAll('');
    await Promise.all([first, other]);
  });

  it('claims the next rows of such a group as slots come free', async () => {
    const first = begin('a', maxPerGroup + 3);
    await claimed('a0');
    completeAll('a0');
    completeAll('a1');
    await claimed('a10', 'a11');
    expect(claims()[1]).to.deep.equal([{ group: 'a', count: 2 }]);
    completeAll('a2');
    await claimed('a12');
    completeAll('');
    await first;
    await until('an idle loop', async () => loop.isIdle());
    expect(claims().length, 'a claim that brings less than asked for ends it').to.be.within(4, 5);
  });

  it('shares what comes free between groups in turn', async () => {
    const running = [begin('a', maxPerGroup + 100), begin('b', maxPerGroup + 1)];
    await claimed('a0', 'b0');
    completeAll('a');
    completeAll('b');
    await claimed('a19', 'b10');
    expect(inFlightOf('a')).to.have.length(2 * maxPerGroup);
    inTable.a = [];
    completeAll('');
    await Promise.all(running);
  });

  it('claims what a sweep found, as slots come free', async () => {
    inTable = { a: idsFrom('a', 15), b: idsFrom('b', 1) };
    await loop.beginLater(['a', 'b']);
    await claimed('a0', `a${maxPerGroup - 1}`, 'b0');
    expect(inFlightOf('a')).to.have.length(maxPerGroup);
    completeAll('a');
    await claimed('a14');
    completeAll('');
    await until('an idle loop', async () => loop.isIdle());
  });

  it('works on few rows of a group that is recorded as failing; the others cost no try', async () => {
    failingSince = now;
    const running = begin('a', maxPerGroup);
    await claimed('a0', 'a1');
    expect(inFlight.size).to.equal(maxPerFailingGroup);
    await until('the snoozed rows', async () => enqueued.length === maxPerGroup - 2);
    expect(settles().every(({ values }) => !/[0]/.test(values[3]))).to.equal(true);
    completeAll('');
    await running;
  });

  it('logs a line for each row of other queues', async () => {
    loop = startLoop('charge-create');
    const running = begin('a', 2);
    await claimed('a1');
    completeAll('a');
    await running;
    const said = lines.map(([, message, { row }]) => `${message}: ${row}`);
    expect(said).to.deep.equal(['job completed: a0', 'job completed: a1']);
  });

  it('logs one line for the rows of a claim, but for those with a reason', async () => {
    const running = begin('a', 3);
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
      const running = begin('a', 3);
      await claimed('a2');
      inFlight.get('a0')!.fail(error);
      completeAll('a');
      const failed = (await running).filter(({ outcome }) => outcome === 'failed');
      expect(failed.map((ending) => [ending.row, ending.error])).to.deep.equal([['a0', error]]);
      inFlight.clear();
      await until('free slots', async () => loop.isIdle());
    }
    const errors = lines.filter(([level]) => level === 'error');
    expect(errors.map(([, message, { row }]) => [message, row])).to.deep.equal(
      Array(3).fill(['job failed', 'a0']),
    );
    expect(enqueued.map(({ id }) => id)).to.deep.equal(['a0', 'a0', 'a0']);
  });

  it('gives up a job that takes too long, and leaves its row to its lease', async () => {
    const running = begin('a', 2);
    await claimed('a0', 'a1');
    inFlight.get('a1')!.end({ type: 'completed' });
    expect(await outcomes(running)).to.deep.equal(['a0 failed', 'a1 completed']);
    const said = lines.map(([level, message]) => `${level}: ${message}`);
    expect(said).to.deep.equal(['error: job timed out', 'info: job completed']);
    expect([settles(), enqueued]).to.deep.equal([[], []]);
  });

  it('retries a claim and an outcome that the database does not take at once', async () => {
    failing = /./;
    const running = begin('a', 1);
    await until('a failed claim', async () => statements.length > 0);
    failing = /with settled/;
    await claimed('a0');
    inFlight.get('a0')!.end(retry(later, 'HTTP 500'));
    await until('a failed record', async () => settles().length > 0);
    failing = undefined;
    expect(await outcomes(running)).to.deep.equal(['a0 retry']);
    expect(enqueued).to.have.length(1);
  });

  it('fails what the database does not claim for long, and frees its slots', async () => {
    failing = CLAIM;
    using time = leapingTime();
    const running = begin('a', 1);
    await until('a failed claim', async () => statements.length > 0);
    time.leap(10 * SECOND);
    expect(await failureOf(running)).to.contain('no database');
    expect(loop.room('a')).to.equal(maxPerGroup);
  });

  it('logs an outcome that cannot be recorded; the row is left to its lease', async () => {
    failing = /with settled/;
    const running = begin('a', 1);
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
    const first = begin('a', maxPerGroup + 3);
    await claimed('a0');
    let isClosed = false;
    const closed = loop.close().then(() => {
      isClosed = true;
    });
    expect(await failureOf(begin('c', 1))).to.contain('begins nothing new');
    await nextTick();
    expect(isClosed).to.equal(false);
    completeAll('a');
    expect(await first).to.have.length(maxPerGroup);
    await closed;
    expect([inFlight.size, claims().length]).to.deep.equal([maxPerGroup, 1]);
  });

  it('has nothing to do for no groups', async () => {
    expect([await loop.begin([]), statements]).to.deep.equal([[], []]);
  });
});
