import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import winston from 'winston';
import { openQueues } from '../../../config/queues/queues.ts';
import { openTcpProxy } from '../../../scripts/chaos/tcp-proxy.ts';
import { newDatabase } from '../../support/postgres.ts';
import { testRedisUrl } from '../../support/suite.ts';
import { until } from '../../support/until.ts';

const log = winston.createLogger({ silent: true });

describe('Queues in Postgres', () => {
  it('work again after an outage of their store, also one while they open', async () => {
    await using way = await openTcpProxy(await newDatabase());
    await using queues = await openQueues({ databaseUrl: way.url, redisUrl: null, log });
    way.cut();
    way.mend();
    const answers = await Promise.all(
      [...queues.all.values()].map((queue) =>
        until('an answer', () => queue.count().then(String, () => null)),
      ),
    );
    expect(answers).to.deep.equal([...queues.all].map(() => '0'));
  });
});

describe('Queues on Redis', () => {
  it('bring jobs to a worker whose connections fell silent, once it has made them anew', async function () {
    const redisUrl = testRedisUrl();
    if (!redisUrl) return this.skip();
    await using way = await openTcpProxy(redisUrl);
    const options = { databaseUrl: 'unused', log, prefix: `silent-${randomUUID()}` };
    await using queues = await openQueues({ ...options, redisUrl: way.url, silenceMs: 300 });
    await using producer = await openQueues({ ...options, redisUrl });
    const done: unknown[] = [];
    const settings = { concurrency: 1, onError() {} };
    const worker = queues.startWorker(
      'charge-check',
      async ({ data }) => done.push(data),
      settings,
    );
    const queue = producer.all.get('charge-check')!;
    const enqueue = (n: number) => queue.add('job', { n });
    await until('the producer', () => enqueue(1).catch(() => null));
    await until('the first job', async () => done.length === 1);
    // As a worker ends a job it takes the next one, whose answer would be lost.
    await until('its end', async () => (await queue.getActiveCount()) === 0);
    way.silence();
    await enqueue(2);
    await until('the second job', async () => done.length === 2);
    await worker.close();
  });

  it('give a lead to one of the processes that ask for it', async function () {
    const redisUrl = testRedisUrl();
    if (!redisUrl) return this.skip();
    const options = { databaseUrl: 'unused', log, prefix: `lead-${randomUUID()}`, redisUrl };
    await using one = await openQueues(options);
    await using other = await openQueues(options);
    await until(
      'the store',
      async () => (await one.probe('its own')) && (await other.probe('too')),
    );
    const answers = await Promise.all([one, other].map((each) => each.probe('all')));
    expect(answers).to.have.members([true, false]);
  });
});
