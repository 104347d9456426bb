import { setImmediate as nextTick } from 'node:timers/promises';
import { expect } from 'chai';
import type { Context } from '../../config/context.ts';
import { createMetrics } from '../../config/observability/metrics.ts';
import { noTracing } from '../../config/observability/tracing.ts';
import { type DueRow, type Job, queues } from '../../domain/jobs.ts';
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
  /** Rows in the table that no job names, by group. */
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
      if (PULL.test(text)) return pulled(groupsOf(values));
      if (!CLAIM.test(text)) return [];
      return idsOf(values).map((id) => ({ ...CLAIMED, id, failing_since: failingSince }));
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
  const PULL = /as wanted/;
  const CLAIMED = { tries: 1, snoozes: 0 };
  const listOf = (values: string): string[] => values.slice(1, -1).split(',');
  const idsOf = ([ids]: any[]) => listOf(ids);
  const groupsOf = ([groups, counts]: any[]) =>
    listOf(groups).map((group, n) => ({ group, count: Number(listOf(counts)[n]) }));
  const pulled = (wanted: { group: string; count: number }[]) =>
    wanted.flatMap(({ group, count }) =>
      (inTable[group] ?? [])
        .splice(0, count)
        .map((id) => ({ ...CLAIMED, id, endpoint_id: group, failing_since: failingSince })),
    );
  const pulls = () => statements.filter(({ text }) => PULL.test(text));
  const idsFrom = (name: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${name}${n}`);
  const rows = (name: string, count: number, group = name) => [
    { group, rows: idsFrom(name, count).map((id): DueRow => ({ id, tries: 0 })) },
  ];
  const inFlightOf = (name: string) => [...inFlight.keys()].filter((id) => id.startsWith(name));
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
      ['{a0,a1,a2}', '{1,1,1}', `{${at},${at},null}`, '{0,1,0}', ['HTTP 500', null, null]],
    ]);
    expect(enqueued).to.deep.equal(
      ['a0', 'a1'].map((id) => ({ queue: QUEUE, id, tries: 1, group: 'a', dueAt: later })),
    );
  });

  it('settles a row while another of the same job is still in flight', async () => {
    const running = loop.run(rows('a', 2));
    await claimed('a0', 'a1');
    inFlight.get('a0')!.end(discard('gone'));
    await until('the settled row', async () => settles().length === 1);
    completeAll('a1');
    await running;
  });

  it('claims no row of a group without a free slot, and ends its job at once', async () => {
    const first = loop.run(rows('a', maxPerGroup));
    await claimed('a0');
    const before = statements.length;
    expect(await loop.run(rows('later', 5, 'a'))).to.deep.equal([]);
    expect(statements).to.have.length(before);
    const other = loop.run(rows('b', 2));
    await claimed('b0', 'b1');
    completeAll('');
    await Promise.all([first, other]);
  });

  it('claims the next rows of such a group from their table as slots come free', async () => {
    const first = loop.run(rows('a', maxPerGroup));
    await claimed('a0');
    inTable.a = idsFrom('next', 3);
    await loop.run(rows('next', 1, 'a'));
    completeAll('a0');
    completeAll('a1');
    await claimed('next0', 'next1');
    expect(pulls().map(({ values }) => groupsOf(values))).to.deep.equal([
      [{ group: 'a', count: 2 }],
    ]);
    completeAll('a2');
    await claimed('next2');
    completeAll('');
    await first;
    await until('an idle loop', async () => loop.isIdle());
    expect(pulls().length, 'a pull that brings less than asked for ends it').to.be.within(3, 4);
  });

  it('shares what comes free between groups in turn', async () => {
    const first = loop.run(rows('a', maxPerGroup));
    const second = loop.run(rows('b', maxPerGroup));
    await claimed('a0', 'b0');
    inTable = { a: idsFrom('nexta', 100), b: idsFrom('nextb', 1) };
    await Promise.all([loop.run(rows('nexta', 50, 'a')), loop.run(rows('nextb', 1, 'b'))]);
    completeAll('a');
    completeAll('b');
    await claimed('nexta9', 'nextb0');
    expect(inFlightOf('nexta')).to.have.length(maxPerGroup);
    inTable.a = [];
    completeAll('');
    await Promise.all([first, second]);
  });

  it('claims all due rows of groups, as slots come free', async () => {
    inTable = { a: idsFrom('a', 15), b: idsFrom('b', 1) };
    await loop.claimAll(['a', 'b']);
    await claimed('a0', `a${maxPerGroup - 1}`, 'b0');
    expect(inFlightOf('a')).to.have.length(maxPerGroup);
    completeAll('a');
    await claimed('a14');
    completeAll('');
    await until('an idle loop', async () => loop.isIdle());
  });

  it('works on few rows of a group that is recorded as failing; the others cost no try', async () => {
    failingSince = now;
    const running = loop.run(rows('a', maxPerGroup));
    await claimed('a0', 'a1');
    expect(inFlight.size).to.equal(maxPerFailingGroup);
    await until('the snoozed rows', async () => enqueued.length === maxPerGroup - 2);
    expect(settles().every(({ values }) => !/[0]/.test(values[3]))).to.equal(true);
    completeAll('');
    await running;
  });

  it('logs a line for each row of other queues', async () => {
    const running = startLoop('charge-create').run(rows('a', 2));
    await claimed('a1');
    completeAll('a');
    await running;
    expect(lines.map(([, message, { row }]) => [message, row])).to.deep.equal([
      ['job completed', 'a0'],
      ['job completed', 'a1'],
    ]);
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
      const running = loop.run(rows('a', maxPerGroup));
      await claimed(`a${maxPerGroup - 1}`);
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
    const first = loop.run(rows('a', maxPerGroup));
    await claimed('a0');
    inTable.a = idsFrom('next', 3);
    await loop.run(rows('next', 1, 'a'));
    let isClosed = false;
    const closed = loop.close().then(() => {
      isClosed = true;
    });
    expect(await failureOf(loop.run(rows('c', 1)))).to.contain('begins nothing new');
    await nextTick();
    expect(isClosed).to.equal(false);
    completeAll('a');
    expect(await first).to.have.length(maxPerGroup);
    await closed;
    expect([inFlight.size, pulls()]).to.deep.equal([maxPerGroup, []]);
  });

  it('has nothing to do for a job that names no row', async () => {
    expect([await loop.run([]), statements]).to.deep.equal([[], []]);
  });
});
