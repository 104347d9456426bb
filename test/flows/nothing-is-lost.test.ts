import { expect } from 'chai';
import { type QueueName, queues as specs } from '../../domain/jobs.ts';
import type { Pools } from '../../workers/pools.ts';
import { newCharge, stored } from '../support/charges.ts';
import { MINUTE, SECOND } from '../support/clock.ts';
import { describeOnEachQueue } from '../support/each-queue.ts';
import { startWorkerProcess } from '../support/kill.ts';
import { emptyQueues, resetStack } from '../support/reset-stack.ts';
import { useStack } from '../support/stack.ts';
import { testRedisUrl } from '../support/suite.ts';
import { RARELY_MS, until } from '../support/until.ts';

describeOnEachQueue('A charge survives', (queues) => {
  const stack = useStack({ queues, workers: false });
  let workers: Pools | undefined;
  beforeEach(async () => {
    await emptyQueues(stack);
    await resetStack(stack);
  });
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
    const { clock } = stack;
    const now = clock();
    await stack.sql`update attempts set due_at = ${now} where tries = 0 and due_at > ${now}`;
    return (await creates()) === count;
  };

  it('an emptied queue between commit and job: a sweep finds the row', async () => {
    const charge = await newCharge(stack);
    await emptyQueues(stack);
    startWorkers('charge-create');
    expect(await workers!.sweep(SECOND), 'not overdue yet').to.equal(0);
    stack.clock.advance(SECOND);
    expect(await workers!.sweep(SECOND)).to.equal(1);
    await untilOpen(charge);
  });

  it('an emptied queue with many creates due: they are claimed as slots come free', async () => {
    const PER_CONNECTION = 50;
    const bodies = ['provider_a', 'provider_b'].map((provider) => ({ provider }));
    const wanted = Array.from({ length: PER_CONNECTION }, () => bodies).flat();
    await Promise.all(wanted.map((body) => newCharge(stack, body)));
    await emptyQueues(stack);
    stack.clock.advance(2 * SECOND);
    expect(PER_CONNECTION).to.be.greaterThan(specs['charge-create'].maxPerGroup);
    startWorkers('charge-create');
    expect(await stack.sweep()).to.equal(2);
    const open = () => stack.count(`attempts where status = 'open'`);
    await until('every payment to be open', async () => (await open()) === wanted.length);
  });

  it('a job that fails before it claims its row: a sweep finds the row', async () => {
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
    expect(await stack.sweep()).to.equal(1);
    await untilOpen(charge);
  });

  it('workers killed with -9 during creates: the payer gets one link, within the lease', async () => {
    // A killed process leaves the same in a store each time, so one store shows repeated kills.
    const kills = queues === (testRedisUrl() ? 'redis' : 'postgres') ? 2 : 1;
    await stack.control.faults({ provider: 'paystack', timeout_after_accept_rate: 1 });
    const charge = await newCharge(stack);
    const earlier = await creates();
    for (let killed = 1; killed <= kills; killed++) {
      const worker = startWorkerProcess(stack);
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
      await stack.sweep();
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
