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
