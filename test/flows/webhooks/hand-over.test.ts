import { expect } from 'chai';
import { queues } from '../../../domain/jobs.ts';
import { type Stack, startStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { cancelPending, type Listener, openListener } from './fixture.ts';

const { maxPerGroup } = queues['webhook-deliver'];

describe('Deliveries of a process that delivers', () => {
  let stack: Stack;
  let listener: Listener;
  before(async () => {
    stack = await startStack({ workers: false });
    listener = await openListener(stack);
  });
  after(async () => {
    await cancelPending(stack);
    await listener[Symbol.asyncDispose]();
    await stack[Symbol.asyncDispose]();
  });

  const jobs = async () => {
    await stack.context.dispatcher.idle();
    const counts = await stack.context.queues.all.get('webhook-deliver')!.getJobCounts();
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  };

  it('begin at once without a job, as many as find a slot, and get jobs when it stops', async () => {
    const requests = listener.keepRequestsOpen();
    const pools = stack.startWorkers('webhook-deliver');
    await listener.publishEvents(maxPerGroup);
    await until('each is sent', async () => requests.open === maxPerGroup);
    expect(await jobs()).to.equal(0);

    await listener.publishEvents(1);
    expect(await jobs()).to.equal(1);
    listener.answers(200);
    requests.answer(200);
    await stack.settle();
    await pools[Symbol.asyncDispose]();
    expect(listener.arrived()).to.have.length(maxPerGroup + 1);

    const before = await jobs();
    await listener.publishEvents(2);
    expect((await jobs()) - before).to.be.greaterThan(0);
  });
});
