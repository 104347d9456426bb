import { expect } from 'chai';
import { MINUTE } from '../../support/clock.ts';
import { withShortTimeouts } from '../../support/short-timeouts.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { cancelPending, type Listener, useListener } from './fixture.ts';

const EACH = 30;
/** Each takes a time-out. */
const FEW = 8;

describe('An endpoint that does not answer', () => {
  const stack = useStack();
  const slow = useListener(stack);
  const healthy = useListener(stack, slow);

  const delivered = async (listener: Listener) =>
    (await listener.deliveries('status=delivered')).length;

  it('has at most ten deliveries in flight, and other endpoints receive theirs meanwhile', async () => {
    const requests = slow.keepRequestsOpen();
    const events = await slow.publishEvents(EACH);
    await until(
      'every delivery to the other endpoint',
      async () => (await delivered(healthy)) === EACH && requests.open >= 10,
    );
    expect([...healthy.arrived()].sort()).to.deep.equal([...events].sort());
    expect([requests.most, await delivered(slow)]).to.deep.equal([10, 0]);
    requests.answer(500);
    slow.answers(500);
    await stack.settle();
  });

  it('leaves nothing waiting in the queue, however many deliveries are due to it', async () => {
    const requests = slow.keepRequestsOpen();
    await Promise.all(Array.from({ length: 10 }, () => slow.publishEvents(50)));
    await until('ten open requests', async () => requests.open === 10);
    const [event] = await healthy.publishEvents(1);
    await until('the event', async () => healthy.arrived().includes(event!));
    const queue = stack.context.queues.all.get('webhook-deliver')!;
    await until('a queue without waiting jobs', async () => {
      const { waiting, prioritized } = await queue.getJobCounts('waiting', 'prioritized');
      return waiting === 0 && prioritized === 0;
    });
    expect([requests.most, slow.arrived().length]).to.deep.equal([10, 10]);
    await cancelPending(stack);
    requests.answer(200);
    slow.answers(200);
    await stack.settle();
  });

  it('has at most two deliveries in flight once it fails', async () => {
    slow.answers(500);
    await slow.publishEvents(1);
    await stack.settle();
    const requests = slow.keepRequestsOpen();
    await withShortTimeouts(stack, ['deliveryMs'], async () => {
      await slow.publishEvents(FEW);
      await stack.pass(2 * MINUTE);
    });
    expect(requests.most).to.be.within(1, 2);
    expect(await delivered(healthy)).to.equal(FEW + 1);
  });

  it('receives every waiting delivery as soon as it answers again', async () => {
    const requests = slow.keepRequestsOpen();
    const events = await slow.publishEvents(EACH);
    await until('ten open requests', async () => requests.open === 10);
    slow.answers(200);
    requests.answer(200);
    await until('every delivery', async () => slow.arrived().length === EACH);
    await stack.settle();
    expect([...slow.arrived()].sort()).to.deep.equal([...events].sort());
    const deliveries = await slow.deliveries();
    expect(deliveries.map(({ status, tries }) => [status, tries.length])).to.deep.equal(
      Array(EACH).fill(['delivered', 1]),
    );
  });
});
