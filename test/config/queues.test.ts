import { expect } from 'chai';
import winston from 'winston';
import { openQueues } from '../../config/queues.ts';
import { openTcpProxy } from '../../scripts/chaos/tcp-proxy.ts';
import { newDatabase } from '../support/postgres.ts';
import { until } from '../support/until.ts';

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
