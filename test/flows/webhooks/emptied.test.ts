import { expect } from 'chai';
import { SECOND } from '../../support/clock.ts';
import { describeOnEachQueue } from '../../support/each-queue.ts';
import { emptyQueues } from '../../support/reset-stack.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { codesOf, useListener } from './fixture.ts';

describeOnEachQueue('Webhooks that wait while the queues are emptied', (queues) => {
  const stack = useStack({ queues, sweeps: true });
  const listener = useListener(stack);

  it('arrive when due, each once, whether just enqueued, waiting for a retry or in flight', async () => {
    listener.answers(500);
    const failed = await listener.publishEvents(3);
    await stack.settle();
    const requests = listener.keepRequestsOpen();
    const inFlight = await listener.publishEvents(2);
    await until('those in flight', async () => requests.open === 2);
    await emptyQueues(stack);
    const enqueued = await listener.publishEvents(3);
    await emptyQueues(stack);
    requests.answer(200);
    listener.answers(200);
    const delivered = () => listener.deliveries('status=delivered');
    await until('their record', async () => (await delivered()).length >= 2);
    // Some of those just enqueued were claimed before the queues were emptied: their requests wait
    // for an answer.
    await until('what was claimed', async () => {
      requests.answer(200);
      const pending = await listener.deliveries('status=pending');
      return pending.every(({ next_try_at }) => Date.parse(next_try_at) > 0);
    });

    await stack.pass(11 * SECOND);
    expect((await delivered()).map(({ event_id }) => event_id)).to.deep.equal([
      ...[...inFlight, ...enqueued],
    ]);
    await stack.pass(61 * SECOND);
    const deliveries = await listener.deliveries();
    expect(deliveries.map((each) => [each.status, ...codesOf(each)])).to.deep.equal([
      ...failed.map(() => ['delivered', 500, 200]),
      ...[...inFlight, ...enqueued].map(() => ['delivered', 200]),
    ]);
    expect(listener.arrived()).to.have.members([...failed, ...failed, ...inFlight, ...enqueued]);
  });
});
