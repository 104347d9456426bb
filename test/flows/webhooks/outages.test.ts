import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { queues as specs } from '../../../domain/jobs.ts';
import { openTcpProxy, type TcpProxy } from '../../../scripts/chaos/tcp-proxy.ts';
import { MINUTE, SECOND } from '../../support/clock.ts';
import { describeOnEachQueue } from '../../support/each-queue.ts';
import { newDatabase } from '../../support/postgres.ts';
import { emptyQueues } from '../../support/reset-stack.ts';
import { type Stack, startStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { codesOf, useListener } from './fixture.ts';

describeOnEachQueue('Webhooks, whatever happens to the stores,', (queues) => {
  const stack = {} as Stack;
  let link: TcpProxy;
  before(async () => {
    link = await openTcpProxy(await newDatabase());
    const env = { databaseUrl: link.url };
    Object.assign(stack, await startStack({ queues, sweeps: true, env }));
  });
  after(async () => {
    link.mend();
    await stack[Symbol.asyncDispose]();
    await link[Symbol.asyncDispose]();
  });
  const listener = useListener(stack);

  it('arrive when due, each once, if the queues are emptied, whether just enqueued, waiting for a retry or in flight', async () => {
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

  it('wait for their retry, if PostgreSQL goes away between the try and the endpoint’s record', async () => {
    listener.answers(500);
    const { db } = stack.context;
    const query = db.query;
    let refused = 0;
    db.query = (text, values) => {
      if (!/^update webhook_endpoints set failing_since/.test(text)) return query(text, values);
      refused++;
      return Promise.reject(new Error('The connection is closed.'));
    };
    try {
      const [event] = await listener.publishEvents();
      await until('the try', async () => refused > 0);
      await pause(50);
      db.query = query;
      await until('the failure on record', async () => (await listener.endpoint()).failing_since);
      const { next_try_at: due, tries } = await listener.delivery();
      expect(Date.parse(due) - Date.parse(tries[0].at)).to.be.at.least(MINUTE);
      expect(listener.arrived()).to.deep.equal([event]);
    } finally {
      db.query = query;
    }
  });

  it('are delivered once PostgreSQL answers again, if it stops answering during a delivery', async () => {
    const requests = listener.keepRequestsOpen();
    const [event] = await listener.publishEvents();
    await until('the arrival', async () => requests.open === 1);
    link.silence();
    requests.answer(200);
    listener.answers(200);
    await pause(200);
    link.cut();
    link.mend();
    await until('the database', () => stack.sql`select 1`.catch(() => null));
    stack.clock.advance(specs['webhook-deliver'].leaseMs + 2 * MINUTE);
    // A job whose end could not be written counts as active for a while: the row is looked at instead.
    await until('the delivery', async () => {
      await stack.sweep();
      return (await listener.delivery()).status === 'delivered';
    });
    expect(listener.arrived()).to.have.length.within(1, 2);
    expect(new Set(listener.arrived())).to.deep.equal(new Set([event]));
  });
});
