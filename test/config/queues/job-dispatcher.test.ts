import { expect } from 'chai';
import winston from 'winston';
import { createJobDispatcher, type JobDispatcher } from '../../../config/queues/job-dispatcher.ts';
import { openQueues, type Queues } from '../../../config/queues/queues.ts';
import type { Job } from '../../../domain/jobs.ts';
import { openTcpProxy, type TcpProxy } from '../../../scripts/chaos/tcp-proxy.ts';
import { newDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';

const log = winston.createLogger({ silent: true });

describe('The job dispatcher', () => {
  let way: TcpProxy;
  let queues: Queues;
  /** The same queues over a connection that no test breaks. */
  let reader: Queues;
  let dispatcher: JobDispatcher;
  beforeEach(async () => {
    const databaseUrl = await newDatabase();
    way = await openTcpProxy(databaseUrl);
    reader = await openQueues({ databaseUrl, redisUrl: null, log });
    queues = await openQueues({ databaseUrl: way.url, redisUrl: null, log });
    dispatcher = createJobDispatcher(queues, () => new Date(), log, 300);
  });
  afterEach(async () => {
    way.cut();
    await queues[Symbol.asyncDispose]();
    await reader[Symbol.asyncDispose]();
    await way[Symbol.asyncDispose]();
  });

  const job = (id: string, enqueues?: number): Job => ({
    queue: 'refund-check',
    group: 'con_a',
    id,
    tries: 0,
    ...(enqueues === undefined ? {} : { enqueues }),
  });
  const waiting = async () =>
    (await reader.all.get('refund-check')!.getWaiting()).map(({ id }) => id);

  it('enqueues the jobs of one event-loop turn together, and a repeated job once', async () => {
    dispatcher.enqueue([job('att_a'), job('att_b')]);
    dispatcher.enqueue([job('att_a'), job('att_a', 1)]);
    await dispatcher.idle();
    expect((await waiting()).sort()).to.deep.equal(['att_a-0-0', 'att_a-0-1', 'att_b-0-0']);
  });

  it('enqueues many deliveries in one job, and each that is due later in its own', async () => {
    const deliver = (id: string, dueAt?: Date): Job => ({
      queue: 'webhook-deliver',
      group: 'whe_a',
      id,
      tries: 1,
      ...(dueAt ? { dueAt } : {}),
    });
    const many = Array.from({ length: 120 }, (_, n) => deliver(`dlv_${n}`));
    const soon = new Date(Date.now() + 4_000);
    dispatcher.enqueue([
      ...many,
      deliver('dlv_soon', soon),
      deliver('dlv_soon', soon),
      deliver('dlv_late', new Date(0)),
    ]);
    await dispatcher.idle();
    const queue = reader.all.get('webhook-deliver')!;
    const rows = (await queue.getWaiting()).map(({ data }) => Object.entries(data.groups.whe_a));
    expect(rows.map(({ length }) => length).sort((one, other) => one - other)).to.deep.equal([
      21, 50, 50,
    ]);
    expect(rows.flat()).to.have.deep.members(
      [...many, deliver('dlv_late')].map(({ id, tries }) => [id, tries]),
    );
    const [later, ...others] = await queue.getDelayed();
    expect([later!.id, later!.data, others]).to.deep.equal([
      `dlv_soon-1-0-${soon.getTime()}`,
      { groups: { whe_a: { dlv_soon: 1 } } },
      [],
    ]);
  });

  it('enqueues a row that is due earlier than its job', async () => {
    const at = (seconds: number): Job => ({
      ...job('att_a'),
      dueAt: new Date(Date.now() + seconds * 1_000),
    });
    dispatcher.enqueue([at(4), at(3), at(0)]);
    await dispatcher.idle();
    expect(await reader.all.get('refund-check')!.getDelayedCount()).to.equal(2);
    expect(await waiting()).to.deep.equal(['att_a-0-0']);
  });

  it('leaves what is due later to the sweeper', async () => {
    dispatcher.enqueue([{ ...job('att_a'), dueAt: new Date(Date.now() + 6_000) }]);
    await dispatcher.idle();
    expect(await reader.all.get('refund-check')!.getDelayedCount()).to.equal(0);
  });

  it('enqueues swept rows together, after fresh ones', async () => {
    const swept = (id: string, group: string): Job => ({ ...job(id, 1), group, isSwept: true });
    dispatcher.enqueue([swept('att_a', 'con_a'), swept('att_b', 'con_b')]);
    dispatcher.enqueue([job('att_c')]);
    await dispatcher.idle();
    const queue = reader.all.get('refund-check')!;
    const [first] = await queue.getWaiting();
    const [last] = await queue.getPrioritized();
    expect([first!.data, last!.data]).to.deep.equal([
      { groups: { con_a: { att_c: 0 } } },
      { groups: { con_a: { att_a: 0 }, con_b: { att_b: 0 } }, swept: true },
    ]);
  });

  it('times out on a connection that stopped answering; the next call works', async () => {
    dispatcher.enqueue([job('att_a')]);
    await dispatcher.idle();
    way.silence();
    await until('a job that arrives', async () => {
      dispatcher.enqueue([job('att_b')]);
      await dispatcher.idle();
      return (await waiting()).includes('att_b-0-0');
    });
  });
});
