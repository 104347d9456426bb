import { expect } from 'chai';
import winston from 'winston';
import { createJobDispatcher, type JobDispatcher } from '../../../config/queues/job-dispatcher.ts';
import { openQueues, type Queues } from '../../../config/queues/queues.ts';
import type { Job } from '../../../domain/jobs.ts';
import { openTcpProxy, type TcpProxy } from '../../../scripts/chaos/tcp-proxy.ts';
import { newDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';

const log = winston.createLogger({ silent: true });
const QUEUE = 'refund-check';

describe('The job dispatcher', () => {
  let databaseUrl: string;
  let way: TcpProxy;
  let queues: Queues;
  let reader: Queues;
  let dispatcher: JobDispatcher;
  before(async () => {
    databaseUrl = await newDatabase();
    reader = await openQueues({ databaseUrl, redisUrl: null, log });
  });
  after(() => reader[Symbol.asyncDispose]());
  beforeEach(async () => {
    way = await openTcpProxy(databaseUrl);
    queues = await openQueues({ databaseUrl: way.url, redisUrl: null, log });
    dispatcher = createJobDispatcher(queues, () => new Date(), log, 300);
  });
  afterEach(async () => {
    way.cut();
    await queues[Symbol.asyncDispose]();
    await way[Symbol.asyncDispose]();
    for (const queue of reader.all.values()) await queue.obliterate({ force: true });
  });

  const job = (id: string, more: Partial<Job> = {}): Job => ({
    ...{ queue: QUEUE, group: 'con_a', id },
    ...more,
  });
  const inMs = (ms: number) => new Date(Date.now() + ms);
  const enqueue = async (...jobs: Job[]) => {
    dispatcher.enqueue(jobs);
    await dispatcher.idle();
  };
  const waiting = async () =>
    (await reader.all.get(QUEUE)!.getWaiting()).map(({ name, data }) => [name, data.rows]);

  it('enqueues one job for the rows of one event-loop turn, named by their group', async () => {
    dispatcher.enqueue([job('att_a'), job('att_b')]);
    await enqueue(job('att_c'));
    expect(await waiting()).to.deep.equal([['con_a', ['att_a', 'att_b', 'att_c']]]);
  });

  it('lets twenty groups share a job', async () => {
    await enqueue(...Array.from({ length: 45 }, (_, n) => job(`att_${n}`, { group: `con_${n}` })));
    const found = await reader.all.get(QUEUE)!.getWaiting();
    const first = found.map(({ name, data }) => [name, data.groups.length, data.rows.length]);
    expect(first).to.have.deep.members([
      ['con_0 and 19 more', 20, 20],
      ['con_20 and 19 more', 20, 20],
      ['con_40 and 4 more', 5, 5],
    ]);
  });

  it('names some of very many rows', async () => {
    await enqueue(...Array.from({ length: 120 }, (_, n) => job(`att_${n}`)));
    const [[name, rows], ...others] = (await waiting()) as [[string, string[]]];
    expect([name, rows.length, others]).to.deep.equal(['con_a', 20, []]);
  });

  it('enqueues what is due soon once for each time, and leaves what is due later to a sweep', async () => {
    const [soon, sooner] = [inMs(4_000), inMs(2_000)];
    for (let time = 0; time < 2; time++)
      await enqueue(
        job('att_a', { dueAt: soon }),
        job('att_b', { dueAt: sooner }),
        job('att_c', { dueAt: inMs(6_000) }),
      );
    const delayed = await reader.all.get(QUEUE)!.getDelayed();
    const times = delayed.map(({ timestamp, delay }) => timestamp + delay);
    expect(delayed.flatMap(({ data }) => data.rows)).to.have.members(['att_a', 'att_b']);
    expect(Math.max(...times) - soon.getTime()).to.be.within(0, 300);
    expect(Math.min(...times) - sooner.getTime()).to.be.within(0, 300);
    await enqueue(job('att_a', { dueAt: inMs(0) }));
    expect(await waiting(), 'a row that is due earlier now').to.deep.equal([['con_a', ['att_a']]]);
  });

  it('hands over what is due now, and enqueues what is left', async () => {
    const taken: string[] = [];
    const handedOver = dispatcher.handOver(QUEUE, (jobs) => {
      taken.push(...jobs.map(({ id }) => id!));
      return jobs.filter(({ group }) => group === 'con_b');
    });
    const other = 'refund-execute';
    await enqueue(
      job('att_a'),
      job('att_b', { group: 'con_b', dueAt: inMs(0) }),
      job('att_c', { dueAt: inMs(3_000) }),
      job('att_d', { queue: other }),
    );
    expect(taken).to.deep.equal(['att_a', 'att_b']);
    expect(await waiting()).to.deep.equal([['con_b', ['att_b']]]);
    expect(await reader.all.get(QUEUE)!.getDelayedCount()).to.equal(1);
    expect(await reader.all.get(other)!.getWaitingCount()).to.equal(1);
    handedOver[Symbol.dispose]();
    await enqueue(job('att_e'));
    expect(taken).to.have.length(2);
  });

  it('enqueues what sweeps found after fresh rows, hands it to nobody, and once however many sweep', async () => {
    using _handedOver = dispatcher.handOver(QUEUE, () => []);
    const swept: Job = { queue: QUEUE, group: 'con_a' };
    await enqueue(swept, swept);
    const [found, ...others] = await reader.all.get(QUEUE)!.getPrioritized();
    expect([found!.name, found!.data, others]).to.deep.equal([
      'con_a',
      { groups: ['con_a'], rows: [], isSwept: true },
      [],
    ]);
    await until('another period', async () => {
      await enqueue(swept);
      return (await reader.all.get(QUEUE)!.getPrioritizedCount()) === 2;
    });
  });

  it('lets groups that one sweep found share a job, and leaves out none that the next finds', async () => {
    const found = (...groups: string[]) =>
      enqueue(...groups.map((group): Job => ({ queue: QUEUE, group })));
    await found('con_a', 'con_b');
    await found('con_a', 'con_c');
    const jobs = await reader.all.get(QUEUE)!.getPrioritized();
    expect(jobs.map(({ data }) => data.groups)).to.have.deep.members([
      ['con_a', 'con_b'],
      ['con_a', 'con_c'],
    ]);
  });

  it('adds no jobs to a queue that is long: its workers sweep', async () => {
    const queue = reader.all.get(QUEUE)!;
    await queue.addBulk(Array.from({ length: 2_001 }, () => ({ name: 'con_a', data: {} })));
    let added = 0;
    await until('a job that is not added', async () => {
      await enqueue(job('att_a'));
      added += 1;
      return (await queue.getWaitingCount()) < 2_001 + added;
    });
    await queue.drain();
    await until('a job that is added', async () => {
      await enqueue(job('att_b'));
      return (await queue.getWaitingCount()) > 0;
    });
  });

  it('times out on a connection that stopped answering; the next call works', async () => {
    await enqueue(job('att_a'));
    way.silence();
    await until('a job that arrives', async () => {
      await enqueue(job('att_b'));
      return (await waiting()).some(([, rows]) => rows.includes('att_b'));
    });
  });
});
