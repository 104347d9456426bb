import { expect } from 'chai';
import { watchPauses } from '../../workers/pauses.ts';
import { startPool } from '../../workers/pool.ts';
import { startPools } from '../../workers/pools.ts';
import { newCharge, stored } from '../support/charges.ts';
import { SECOND } from '../support/clock.ts';
import { publish } from '../support/deliveries.ts';
import { emptyQueues } from '../support/reset-stack.ts';
import { useStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const CREATE = 'charge-create';
const DELIVER = 'webhook-deliver';

describe('Workers by themselves', () => {
  const stack = useStack({ workers: false, sweeps: true });

  it('enqueue again what lost its job, and schedule the housekeeping', async () => {
    const charge = await newCharge(stack);
    await emptyQueues(stack);
    stack.clock.advance(2 * SECOND);
    await using _workers = stack.startWorkers();
    await until('an open payment', async () => (await stored(stack, charge)).status === 'pending');
    const done = await stack.context.queues.all.get(CREATE)!.getCompleted();
    const [attempt] = (await stored(stack, charge)).attempts;
    expect(done.map(({ name, data }) => [name, data.isSwept])).to.deep.equal([
      [attempt!.connection_id, true],
    ]);
    await until('a task that housekeeping gives', async () => {
      return (await stack.count(`connection_tasks where task = 'disputes'`)) > 0;
    });
  });

  it('say in a failed job which of its rows failed, and why', async () => {
    const charge = await newCharge(stack);
    const handle = () => [Promise.reject(new Error('it threw'))];
    const pauses = watchPauses(stack.context.queues);
    const pool = startPool(stack.context, { queue: CREATE, handle }, pauses);
    const queue = stack.context.queues.all.get(CREATE)!;
    await until('a failed job', async () => (await queue.getFailedCount()) > 0);
    await pool.close();
    const [{ failedReason } = {}] = await queue.getFailed();
    expect(failedReason).to.include(
      `${(await stored(stack, charge)).attempts[0]!.id}: Error: it threw`,
    );
  });

  it('begin nothing of a paused queue, neither by sweeps nor without a job, until it goes on', async () => {
    const queue = stack.context.queues.all.get(DELIVER)!;
    await queue.pause();
    const noticed = Promise.withResolvers<void>();
    const isPaused = queue.isPaused.bind(queue);
    queue.isPaused = () => isPaused().finally(noticed.resolve);
    await using workers = stack.startWorkers(DELIVER);
    await noticed.promise;
    await publish(stack);
    await stack.context.dispatcher.idle();
    expect(await queue.count(), 'its job waits').to.equal(1);
    expect(await workers.sweep()).to.equal(0);
    expect(workers.isIdle()).to.equal(true);
    expect(stack.receiver.received).to.deep.equal([]);
    await queue.resume();
    await until('the webhook', async () => stack.receiver.received.length > 0);
  });

  it('sweep each queue by itself where the statement for all of them fails', async () => {
    const { context } = stack;
    const charge = await newCharge(stack);
    await emptyQueues(stack);
    const asked: string[] = [];
    const query: typeof context.db.query = async (text, values) => {
      if (!/as is_due/.test(text)) return context.db.query(text, values);
      asked.push(text);
      if (text.includes('from refunds'))
        throw Object.assign(new Error('its index is broken'), { code: 'XX002' });
      return context.db.query(text, values);
    };
    await using pools = startPools({ ...context, db: { ...context.db, query } }, undefined, {
      sweeps: false,
    });
    expect(await pools.sweep()).to.be.greaterThan(0);
    expect(asked.length, 'one for all, and one for each').to.be.greaterThan(10);
    await until('an open payment', async () => (await stored(stack, charge)).status === 'pending');
  });
});
