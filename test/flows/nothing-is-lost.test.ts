import { expect } from 'chai';
import { HOUSEKEEPING, queues as specs } from '../../domain/jobs.ts';
import { scheduleHousekeeping, sweep } from '../../workers/sweep.ts';
import { newCharge, openCharge, stored } from '../support/charges.ts';
import { MINUTE, SECOND } from '../support/clock.ts';
import { describeOnEachQueue } from '../support/each-queue.ts';
import { startWorkerProcess } from '../support/kill.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

describeOnEachQueue('Nothing is lost', (queues) => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await startStack({ queues, workers: false });
  });
  afterEach(() => stack[Symbol.asyncDispose]());

  const emptyQueues = async () => {
    await stack.context.bell.idle();
    for (const queue of stack.context.queues.all.values()) await queue.obliterate({ force: true });
  };

  it('when the queue is emptied between the commit and the work: the sweeper rings again', async () => {
    const charge = await newCharge(stack);
    await emptyQueues();
    expect(await sweep(stack.context), 'not overdue yet').to.deep.equal({});
    stack.clock.advance(6 * SECOND);
    expect(await sweep(stack.context)).to.deep.equal({ 'charge-create': 1 });
    stack.startWorkers();
    await stack.settle();
    expect(await stored(stack, charge)).to.include({ status: 'pending' });
  });

  it('when the queue is emptied between a payment and its webhook', async () => {
    const workers = stack.startWorkers();
    const charge = await openCharge(stack);
    await workers[Symbol.asyncDispose]();
    await stack.control.pay(charge.reference, { notify: false });
    expect((await stack.api.get(`/charges/${charge.reference}`)).json.status).to.equal('completed');
    await emptyQueues();
    stack.startWorkers();
    stack.clock.advance(6 * SECOND);
    await stack.settle();
    expect(stack.receiver.received).to.have.length(1);
  });

  it('when a job fails before it claims its row: it is rung again', async () => {
    const charge = await newCharge(stack);
    const fail = () => Promise.reject(new Error('before the claim'));
    const failing = stack.context.queues.startWorker('charge-create', fail, { concurrency: 1, onError() {} });
    await until('the failed job', async () => (await stack.context.queues.all.get('charge-create')!.getFailedCount()) === 1);
    await failing.close();
    stack.startWorkers();
    stack.clock.advance(6 * SECOND);
    await stack.settle();
    expect(await stored(stack, charge)).to.include({ status: 'pending' });
  });

  it('and a row nobody hears of is rung less and less often, not without end', async () => {
    await newCharge(stack);
    let rings = 0;
    for (let second = 0; second < 600; second += 2) {
      stack.clock.advance(2 * SECOND);
      rings += (await sweep(stack.context))!['charge-create'] ?? 0;
    }
    expect(rings, 'in ten minutes').to.be.within(4, 8);
    rings = 0;
    for (let minute = 0; minute < 24 * 60; minute++) {
      stack.clock.advance(MINUTE);
      rings += (await sweep(stack.context))!['charge-create'] ?? 0;
    }
    expect(rings, 'in a day: every five minutes').to.be.within(200, 300);
  });

  it('and an outage of the queues does not outlast itself: the row is rung within five minutes of its end', async () => {
    const charge = await newCharge(stack);
    for (let minute = 0; minute < 120; minute++) {
      stack.clock.advance(MINUTE);
      await sweep(stack.context);
      await emptyQueues();
    }
    stack.startWorkers();
    for (let minute = 0; minute < 5; minute++) {
      stack.clock.advance(MINUTE);
      await sweep(stack.context);
    }
    await stack.settle();
    expect(await stored(stack, charge)).to.include({ status: 'pending' });
  });

  it('when a job throws again and again: it is taken up again, but not at every lease', async () => {
    await stack.context.db.query("update connections set credentials = 'k0.unreadable'");
    const charge = await newCharge(stack);
    stack.startWorkers();
    for (let minute = 0; minute < 60; minute++) {
      stack.clock.advance(MINUTE);
      await stack.settle();
    }
    const [attempt] = (await stored(stack, charge)).attempts;
    expect(attempt!.tries).to.be.within(10, 25);
    expect(attempt!.sent_at, 'nothing was ever sent').to.equal(null);
  });

  it('when a worker is killed with -9 in the middle of a create, three times: the payer still gets one link, within the lease', async () => {
    await stack.control.faults({ provider: 'paystack', timeout_after_accept_rate: 1 });
    const charge = await newCharge(stack);
    for (let killed = 1; killed <= 3; killed++) {
      const worker = startWorkerProcess(stack);
      await sweep(stack.context, 0);
      await until('a create', async () => (await stack.control.stats()).paystack!.creates === killed);
      await worker.kill();
      // The killed process ran on real time: what it left is due by then, too.
      stack.clock.advance(specs['charge-create'].leaseMs + MINUTE);
    }
    await stack.control.faults();
    stack.startWorkers();
    // The killed jobs count as active for a while, so the queues are not idle: the rows are looked at instead.
    const open = await until('an open payment', async () => {
      stack.clock.advance(100);
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

  it('when the housekeeping schedule vanished with the queues: it is made again', async () => {
    const queue = stack.context.queues.all.get(HOUSEKEEPING)!;
    await scheduleHousekeeping(stack.context);
    await queue.obliterate({ force: true });
    await queue.removeJobScheduler('every-minute');
    expect(await queue.getJobSchedulersCount()).to.equal(0);
    await scheduleHousekeeping(stack.context);
    expect(await queue.getJobSchedulersCount()).to.equal(1);
  });

  it('when the workers are told to stop with work in hand: it is finished first', async () => {
    await stack.control.faults({ provider: 'paystack', latency_ms: 300 });
    const charge = await newCharge(stack);
    const workers = stack.startWorkers();
    await until('the claim', async () => (await stored(stack, charge)).attempts[0]!.tries === 1);
    await workers[Symbol.asyncDispose]();
    expect(await stored(stack, charge)).to.include({ status: 'pending' });
  });
});
