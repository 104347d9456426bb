import { expect } from 'chai';
import { type QueueName, queues as specs } from '../../domain/jobs.ts';
import { sweep } from '../../workers/sweep.ts';
import { newCharge, stored } from '../support/charges.ts';
import { MINUTE, SECOND } from '../support/clock.ts';
import { describeOnEachQueue } from '../support/each-queue.ts';
import { startWorkerProcess } from '../support/kill.ts';
import { emptyQueues, resetStack } from '../support/reset-stack.ts';
import { type Stack, useStack } from '../support/stack.ts';
import { testRedisUrl } from '../support/suite.ts';
import { RARELY_MS, until } from '../support/until.ts';

describeOnEachQueue('A charge survives', (queues) => {
  const stack = useStack({ queues, workers: false });
  let workers: AsyncDisposable | undefined;
  beforeEach(() => reset(stack));
  afterEach(() => workers?.[Symbol.asyncDispose]());

  const startWorkers = (...names: QueueName[]) => {
    workers = stack.startWorkers(...names);
  };

  const untilOpen = (charge: { reference: string }) =>
    until('an open payment', async () => (await stored(stack, charge)).status === 'pending');

  const creates = async () => (await stack.control.stats()).paystack?.creates ?? 0;

  /**
   * Whether so many creates reached the provider. The killed process runs on real time, so a
   * replacement that waits is made due at once.
   */
  const areMade = async (count: number) => {
    const { context, clock } = stack;
    const waited = await context.db.query(
      'update attempts set due_at = $1 where tries = 0 and due_at > $1 returning id',
      [clock()],
    );
    if (waited.length > 0) await sweep(context, 0);
    return (await creates()) === count;
  };

  it('an emptied queue between commit and job: the sweeper enqueues the row again', async () => {
    const charge = await newCharge(stack);
    await emptyQueues(stack);
    expect(await sweep(stack.context), 'not overdue yet').to.deep.equal({});
    stack.clock.advance(11 * SECOND);
    expect(await sweep(stack.context)).to.deep.equal({ 'charge-create': 1 });
    startWorkers('charge-create');
    await untilOpen(charge);
  });

  it('an emptied queue with many creates due: the first of each connection wake the others', async () => {
    const PER_CONNECTION = 50;
    const bodies = ['provider_a', 'provider_b'].map((provider) => ({ provider }));
    const wanted = Array.from({ length: PER_CONNECTION }, () => bodies).flat();
    await Promise.all(wanted.map((body) => newCharge(stack, body)));
    await emptyQueues(stack);
    stack.clock.advance(2 * SECOND);
    const first = specs['charge-create'].maxPerGroup;
    expect(await sweep(stack.context)).to.deep.equal({ 'charge-create': 2 * first });
    expect(await sweep(stack.context), 'the others wait in their table').to.deep.equal({});
    startWorkers('charge-create');
    await until('every payment to be open', async () => {
      const [row] = await stack.context.db.query<{ open: number }>(
        `select count(*)::int as open from attempts where status = 'open'`,
      );
      return row!.open === wanted.length;
    });
  });

  it('a job that fails before it claims its row: the row is enqueued again', async () => {
    const charge = await newCharge(stack);
    const fail = () => Promise.reject(new Error('before the claim'));
    const failing = stack.context.queues.startWorker('charge-create', fail, {
      concurrency: 1,
      onError() {},
    });
    await until(
      'the failed job',
      async () => (await stack.context.queues.all.get('charge-create')!.getFailedCount()) === 1,
    );
    await failing.close();
    startWorkers('charge-create');
    stack.clock.advance(11 * SECOND);
    expect(await sweep(stack.context)).to.deep.equal({ 'charge-create': 1 });
    await untilOpen(charge);
  });

  it('workers killed with -9 during creates: the payer gets one link, within the lease', async () => {
    // A killed process leaves the same in a store each time, so one store shows repeated kills.
    const kills = queues === (testRedisUrl() ? 'redis' : 'postgres') ? 3 : 1;
    await stack.control.faults({ provider: 'paystack', timeout_after_accept_rate: 1 });
    const charge = await newCharge(stack);
    const earlier = await creates();
    for (let killed = 1; killed <= kills; killed++) {
      const worker = startWorkerProcess(stack);
      await sweep(stack.context, 0);
      await until('a create', () => areMade(earlier + killed), RARELY_MS);
      await worker.kill();
      // The killed process ran on real time: its rows are due by then too.
      stack.clock.advance(specs['charge-create'].leaseMs + MINUTE);
    }
    await stack.control.faults();
    startWorkers();
    // The killed jobs count as active for a while, so the test looks at the rows, not the queues.
    const open = await until('an open payment', async () => {
      stack.clock.advance(SECOND);
      await sweep(stack.context, 0);
      const { status, attempts } = await stored(stack, charge);
      return status === 'pending' && attempts.filter((attempt) => attempt.status === 'open');
    });
    expect(open).to.have.length(1);
    expect((await stack.control.stats()).paystack!.resent_after_accept).to.equal(0);
    expect(await stack.count('charges')).to.equal(1);
    await stack.control.pay(open[0]!.reference);
    await until('the webhook', async () => stack.receiver.received.length > 0);
    expect(stack.receiver.received).to.have.length(1);
  }).timeout(60_000);
});

/** Prepares the stack for a test that begins without charges, jobs and workers. */
async function reset(stack: Stack): Promise<void> {
  await emptyQueues(stack);
  await resetStack(stack);
}
