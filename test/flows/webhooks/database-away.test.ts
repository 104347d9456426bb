import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { queues as specs } from '../../../domain/jobs.ts';
import { openTcpProxy, type TcpProxy } from '../../../scripts/chaos/tcp-proxy.ts';
import { MINUTE } from '../../support/clock.ts';
import { describeOnEachQueue } from '../../support/each-queue.ts';
import { newDatabase } from '../../support/postgres.ts';
import { type Stack, startStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { type Listener, openListener } from './fixture.ts';

describeOnEachQueue('Webhooks while PostgreSQL is away', (queues) => {
  let link: TcpProxy;
  let stack: Stack;
  let listener: Listener;
  before(async () => {
    link = await openTcpProxy(await newDatabase());
    stack = await startStack({ queues, sweeps: true, env: { databaseUrl: link.url } });
  });
  after(async () => {
    link.mend();
    await stack[Symbol.asyncDispose]();
    await link[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    listener = await openListener(stack);
  });
  afterEach(() => listener[Symbol.asyncDispose]());

  const isBack = () =>
    until('the database', () =>
      stack.context.db.query('select 1').then(
        () => true,
        () => false,
      ),
    );
  /**
   * Enqueues what is due. Jobs whose end could not be written count as active for a while, so the
   * tests look at the rows, not at the queues.
   */
  const enqueueDue = () => stack.sweep();
  const untilNothingPending = async () => {
    stack.clock.advance(specs['webhook-deliver'].leaseMs + 2 * MINUTE);
    await until('nothing pending', async () => {
      await enqueueDue();
      return (await listener.deliveries('status=pending')).length === 0;
    });
  };
  const timesArrived = (event: string) => listener.arrived().filter((id) => id === event).length;

  it('are all delivered once the leases are over, if they were in flight', async () => {
    const requests = listener.keepRequestsOpen();
    const events = await listener.publishEvents(6);
    await until('every request', async () => requests.open === 6);
    link.cut();
    listener.answers(200);
    requests.answer(200);
    await pause(300);
    link.mend();
    await isBack();
    await untilNothingPending();

    const deliveries = await listener.deliveries();
    expect(deliveries.map(({ status }) => status)).to.deep.equal(Array(6).fill('delivered'));
    expect(new Set(listener.arrived())).to.deep.equal(new Set(events));
    for (const { event_id, tries } of deliveries) {
      const recorded = tries.map((made: any) => made.status_code);
      expect(new Set(recorded)).to.deep.equal(new Set([200]));
      // The one whose record could not be written is the only one that may be missing.
      expect(recorded.length).to.be.within(timesArrived(event_id) - 1, timesArrived(event_id));
    }
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
    await isBack();
    await untilNothingPending();
    expect(await listener.delivery()).to.include({ status: 'delivered' });
    expect(timesArrived(event!)).to.be.within(1, 2);
  });
});
