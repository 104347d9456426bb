import { expect } from 'chai';
import { openTcpProxy, type TcpProxy } from '../../scripts/chaos/tcp-proxy.ts';
import { newCharge, stored } from '../support/charges.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { testRedisUrl } from '../support/suite.ts';
import { RARELY_MS, until } from '../support/until.ts';

describe('While the queue store is away', () => {
  let link: TcpProxy;
  let stack: Stack;
  before(async function () {
    const redisUrl = testRedisUrl();
    if (!redisUrl) return this.skip();
    link = await openTcpProxy(redisUrl);
    stack = await startStack({ queues: 'redis', sweeps: true, env: { redisUrl: link.url } });
  });
  after(async () => {
    link?.mend();
    await stack?.[Symbol.asyncDispose]();
    await link?.[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    link.mend();
    await until('the store', async () => !stack.context.queues.outage.isAway(), RARELY_MS);
    stack.receiver.received.length = 0;
  });

  const outages: [title: string, begin: () => void][] = [
    ['refuses calls', () => link.cut()],
    ['stops answering', () => link.silence()],
  ];
  for (const [title, begin] of outages) {
    it(`charges are created, paid and told of (it ${title})`, async () => {
      begin();
      await stack.context.queues.probe('test');
      expect(stack.context.queues.outage.isAway()).to.equal(true);
      const charge = await newCharge(stack);
      await until(
        'an open payment',
        async () => (await stored(stack, charge)).status === 'pending',
      );
      await stack.control.pay(charge.reference);
      await until('the webhook', async () => stack.receiver.received.length > 0);
      expect((await stored(stack, charge)).status).to.equal('succeeded');
    });
  }
});
