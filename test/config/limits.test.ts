import { expect } from 'chai';
import { describeOnEachQueue } from '../support/each-queue.ts';
import { startStack } from '../support/stack.ts';

describeOnEachQueue('Limits', (queues) => {
  it('grant points, and take them back', async () => {
    await using stack = await startStack({ workers: false, queues });
    const { limits } = stack.context;
    expect(await limits.take('secretKey', 'a')).to.include({ allowed: true, remaining: 999_999 });
    expect(await limits.take('secretKey', 'a')).to.include({ allowed: true, remaining: 999_998 });
    await limits.giveBack('secretKey', 'a');
    expect(await limits.take('secretKey', 'a')).to.include({ allowed: true, remaining: 999_998 });
  });
});
