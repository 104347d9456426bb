import { expect } from 'chai';
import { openLimitStore } from '../../config/limits/limit-store.ts';
import { type Checkout, newCharge, stored } from '../support/charges.ts';
import { type RedisGroup, startCluster, startSentinelGroup } from '../support/redis-groups.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { RARELY_MS, until } from '../support/until.ts';

const scope = new AsyncDisposableStack();
after(() => scope.disposeAsync());

for (const [title, start] of [
  ['a Sentinel group', startSentinelGroup],
  ['a Cluster', startCluster],
] as const) {
  describe(`With its queues and rate limits on ${title}, the service`, () => {
    let group: RedisGroup;
    let stack: Stack;
    before(async function () {
      const started = await start();
      if (!started) return this.skip();
      group = scope.use(started);
      stack = scope.use(await startStack({ queues: 'redis', env: { redisUrl: group.url } }));
      await until('the queues', areQueuesThere);
    });
    const areQueuesThere = async () => {
      await stack.context.queues.probe('test');
      return !stack.context.queues.outage.isAway();
    };

    it('collects a charge and sends its webhook', async () => {
      const charge = await newCharge(stack);
      await untilOpen(stack, [charge]);
      await stack.control.pay(charge.reference);
      await untilDelivered(stack, [charge]);
      const deliveries = stack.context.queues.all.get('webhook-deliver')!;
      expect(await deliveries.getFailedCount()).to.equal(0);
    });

    it('counts requests', async () => {
      const log = stack.context.log;
      await using store = await openLimitStore({ databaseUrl: '', redisUrl: group.url, log });
      await until('the store', () => store.add('a', 1, 60_000).catch(() => null), RARELY_MS);
      expect(await store.add('b', 2, 60_000)).to.include({ consumed: 2 });
      expect(await store.add('b', 3, 60_000)).to.include({ consumed: 5 });
    });

    if (start === startCluster) {
      it('spreads its queues over the servers', async () => {
        const sizes = await Promise.all(group.servers.map((server) => server.call('dbsize')));
        expect(Math.min(...sizes.map(Number))).to.be.greaterThan(0);
      });
    } else {
      it('delivers every event while the master is killed and another one elected', async () => {
        const before = await newCharges(stack, 4);
        await untilOpen(stack, before);
        await group.servers[0]!.kill();
        const during = await newCharges(stack, 4);
        await untilOpen(stack, during);
        for (const { reference } of [...before, ...during]) await stack.control.pay(reference);
        await untilDelivered(stack, [...before, ...during]);
        await until('the new master', areQueuesThere);
        const after = await newCharges(stack, 2);
        await untilOpen(stack, after);
        for (const { reference } of after) await stack.control.pay(reference);
        await untilDelivered(stack, after);
        expect(await group.servers[1]!.call('dbsize')).to.be.greaterThan(0);
      });
    }
  });
}

function newCharges(stack: Stack, count: number): Promise<Checkout[]> {
  return Promise.all(Array.from({ length: count }, () => newCharge(stack)));
}

async function untilOpen(stack: Stack, charges: readonly Checkout[]): Promise<void> {
  for (const charge of charges)
    await until(
      'an open payment',
      async () => (await stored(stack, charge)).status === 'pending',
      RARELY_MS,
    );
}

async function untilDelivered({ receiver }: Stack, charges: readonly Checkout[]): Promise<void> {
  const ofThese = () =>
    receiver.received
      .map(({ body }) => JSON.parse(String(body)).data.reference as string)
      .filter((reference) => charges.some((charge) => charge.reference === reference));
  await until('the webhooks', async () => new Set(ofThese()).size === charges.length, RARELY_MS);
  expect(ofThese()).to.have.length(charges.length);
}
