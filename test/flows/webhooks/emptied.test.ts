import { expect } from 'chai';
import { Redis } from 'ioredis';
import { retryBriefly } from '../../../workers/retry-briefly.ts';
import { SECOND } from '../../support/clock.ts';
import { startRedis } from '../../support/redis.ts';
import { type Stack, startStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { type Listener, openListener } from './fixture.ts';

interface Store {
  queues: 'postgres' | 'redis';
  redisUrl?: string;
  empty(stack: Stack): Promise<void>;
}

function inPostgres(): Store {
  return {
    queues: 'postgres',
    async empty({ context: { db } }) {
      const tables = await db.query<{ name: string }>(
        `select format('bullmq.%I', tablename) as name from pg_tables where schemaname = 'bullmq' and tablename !~ 'migration|schema|version'`,
      );
      // A worker that holds one of the tables and waits for another makes this a deadlock.
      await retryBriefly(() => db.query(`truncate ${tables.map(({ name }) => name).join(', ')}`));
    },
  };
}

/** A Redis of our own: emptying the one that all tests share would empty theirs. */
async function onRedis(scope: AsyncDisposableStack): Promise<Store | undefined> {
  const redis = await startRedis();
  if (!redis) return undefined;
  scope.use(redis);
  return {
    queues: 'redis',
    redisUrl: redis.url,
    async empty() {
      const client = new Redis(redis.url);
      await client.flushall();
      client.disconnect();
    },
  };
}

for (const name of ['in Postgres', 'on Redis'] as const) {
  describe(`Webhooks that wait while the queues ${name} are emptied`, () => {
    const scope = new AsyncDisposableStack();
    let store: Store;
    let stack: Stack;
    let listener: Listener;
    before(async function () {
      const found = name === 'on Redis' ? await onRedis(scope) : inPostgres();
      if (!found) return this.skip();
      store = found;
      const env = store.redisUrl ? { redisUrl: store.redisUrl } : {};
      stack = scope.use(await startStack({ queues: store.queues, sweeps: true, env }));
    });
    after(() => scope.disposeAsync());
    beforeEach(async () => {
      listener = await openListener(stack);
    });
    afterEach(() => listener?.[Symbol.asyncDispose]());

    const pass = (ms: number) => stack.pass(ms);

    it('arrive when due, each once, whether just enqueued, waiting for a retry or in flight', async () => {
      listener.answers(500);
      const failed = await listener.publishEvents(3);
      await stack.settle();
      const requests = listener.keepRequestsOpen();
      const inFlight = await listener.publishEvents(2);
      await until('those in flight', async () => requests.open === 2);
      await store.empty(stack);
      const enqueued = await listener.publishEvents(3);
      await stack.context.dispatcher.idle();
      await store.empty(stack);
      requests.answer(200);
      listener.answers(200);
      await until(
        'their record',
        async () => (await listener.deliveries('status=delivered')).length >= 2,
      );
      // Some of those just enqueued were claimed before the queues were emptied: their requests wait
      // for an answer.
      await until('what was claimed', async () => {
        requests.answer(200);
        return (await listener.deliveries('status=pending')).every(
          ({ next_try_at }) => Date.parse(next_try_at) > 0,
        );
      });

      await pass(11 * SECOND);
      expect(
        (await listener.deliveries('status=delivered')).map(({ event_id }) => event_id),
      ).to.deep.equal([...inFlight, ...enqueued]);
      await pass(61 * SECOND);
      const deliveries = await listener.deliveries();
      expect(deliveries.map(({ status }) => status)).to.deep.equal(Array(8).fill('delivered'));
      expect(
        deliveries.map(({ tries }) => tries.map((made: any) => made.status_code)),
      ).to.deep.equal([
        ...failed.map(() => [500, 200]),
        ...inFlight.map(() => [200]),
        ...enqueued.map(() => [200]),
      ]);
      expect(listener.arrived().sort()).to.deep.equal(
        [...failed, ...failed, ...inFlight, ...enqueued].sort(),
      );
    });
  });
}
