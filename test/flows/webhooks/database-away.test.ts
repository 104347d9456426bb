import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { queues as specs } from '../../../domain/jobs.ts';
import { sweep } from '../../../workers/sweep.ts';
import { type Breakable, breakable } from '../../support/breakable.ts';
import { MINUTE, SECOND } from '../../support/clock.ts';
import { describeOnEachQueue } from '../../support/each-queue.ts';
import { newDatabase } from '../../support/postgres.ts';
import { type Stack, startStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { type Listener, openListener } from './fixture.ts';

describeOnEachQueue('Webhooks while Postgres is away', (queues) => {
  let way: Breakable;
  let stack: Stack;
  let listener: Listener;
  before(async () => {
    way = await breakable(await newDatabase());
    stack = await startStack({ queues, env: { databaseUrl: way.url } });
  });
  after(async () => {
    way.mend();
    await stack[Symbol.asyncDispose]();
    await way[Symbol.asyncDispose]();
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
   * Lets what is due come up. Jobs whose end could not be written count as active for a while: the
   * rows are looked at, not the queues.
   */
  const comeUp = async () => void (await sweep(stack.context, 0));
  /** Lets leases run out and what waits come up, until nothing is pending. */
  const everythingEnds = async () => {
    stack.clock.advance(specs['webhook-deliver'].leaseMs + 2 * MINUTE);
    await until('an end of all', async () => {
      await comeUp();
      return (await listener.deliveries('status=pending')).length === 0;
    });
  };
  const timesArrived = (event: string) => listener.arrived().filter((id) => id === event).length;

  it('in flight when it goes, are all delivered once the leases are over', async () => {
    const hanging = listener.hangs();
    const events = await listener.happen(6);
    await until('all of them', async () => hanging.held === 6);
    way.cut();
    listener.answers(200);
    hanging.answer(200);
    await pause(300);
    way.mend();
    await isBack();
    await everythingEnds();

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

  it('that is away for a moment, lose no recorded try: the record is retried', async () => {
    const hanging = listener.hangs();
    const events = await listener.happen(4);
    await until('all of them', async () => hanging.held === 4);
    way.cut();
    listener.answers(200);
    hanging.answer(202);
    await pause(100);
    way.mend();
    await isBack();
    await until(
      'their record',
      async () => (await listener.deliveries('status=delivered')).length === 4,
    );
    await everythingEnds();
    expect(listener.arrived().sort()).to.deep.equal([...events].sort());
    expect(
      (await listener.deliveries()).map(({ tries }) => tries.map((made: any) => made.status_code)),
    ).to.deep.equal(Array(4).fill([202]));
  });

  it('that failed before it went, keep their tries and go on with the schedule', async () => {
    listener.answers(500);
    const events = await listener.happen(2);
    await until('their record', async () =>
      (await listener.deliveries()).every(({ try_count }) => try_count === 1),
    );
    way.cut();
    stack.clock.advance(10 * MINUTE);
    await pause(200);
    way.mend();
    await isBack();
    listener.answers(200);
    await everythingEnds();
    for (const { status, tries } of await listener.deliveries()) {
      expect([status, tries.map((made: any) => made.status_code)]).to.deep.equal([
        'delivered',
        [500, 200],
      ]);
    }
    expect(listener.arrived().sort()).to.deep.equal([...events, ...events].sort());
  });

  it('that wait for a retry, are sent when due and not before', async () => {
    listener.answers(500);
    const [event] = await listener.happen();
    await until('its record', async () => (await listener.delivery()).try_count === 1);
    listener.answers(200);
    const due = Date.parse((await listener.delivery()).next_try_at);
    way.cut();
    await pause(200);
    way.mend();
    await isBack();
    stack.clock.advance(due - stack.clock().getTime() - 3 * SECOND);
    await comeUp();
    await pause(100);
    expect(listener.arrived()).to.deep.equal([event]);
    stack.clock.advance(5 * SECOND);
    await comeUp();
    await until('the delivery', async () => (await listener.delivery()).status === 'delivered');
    expect(listener.arrived()).to.deep.equal([event, event]);
    expect(await listener.delivery()).to.include({ status: 'delivered', try_count: 2 });
  });

  it('that stops answering during a delivery, are delivered once it answers again', async () => {
    const hanging = listener.hangs();
    const [event] = await listener.happen();
    await until('the arrival', async () => hanging.held === 1);
    way.silence();
    hanging.answer(200);
    listener.answers(200);
    await pause(200);
    way.cut();
    way.mend();
    await isBack();
    await everythingEnds();
    expect(await listener.delivery()).to.include({ status: 'delivered' });
    expect(timesArrived(event!)).to.be.within(1, 2);
  });
});
