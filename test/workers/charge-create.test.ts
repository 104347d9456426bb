import { expect } from 'chai';
import { createCharge } from '../../workers/charge-create.ts';
import { runJob } from '../../workers/run-job.ts';
import { newCharge, stored } from '../support/charges.ts';
import { MINUTE } from '../support/clock.ts';
import { useStack } from '../support/stack.ts';

describe('The create job', () => {
  const stack = useStack({ workers: false, newTenants: true });
  let before: number;
  beforeEach(async () => {
    before = 0;
    before = await creates();
  });

  const creates = async () => ((await stack.control.stats()).paystack?.creates ?? 0) - before;
  const work = async () => {
    await using _workers = stack.startWorkers();
    await stack.settle();
  };
  const newAttempt = async () => {
    const charge = await newCharge(stack);
    const [attempt] = (await stored(stack, charge)).attempts as [{ id: string; charge_id: string }];
    return { charge, attempt, ...attempt };
  };
  const disable = () => stack.sql`update connections set disabled_at = ${stack.clock()}
    where tenant_id = ${stack.tenant.tenant_id}`;

  it('runs once, however often it is enqueued', async () => {
    const { id } = await newAttempt();
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map(() => runJob(stack.context, createCharge, { id })),
    );
    expect(outcomes.sort()).to.deep.equal(['completed', undefined, undefined, undefined]);
    expect(await runJob(stack.context, createCharge, { id })).to.equal(undefined);
    expect(await creates()).to.equal(1);
  });

  it('sends nothing when the lease is nearly over before the call; the row is retried at once', async () => {
    const { charge, id } = await newAttempt();
    const { context } = stack;
    const tooLong = { ...context, timeouts: { ...context.timeouts, createMs: 10 * MINUTE } };
    expect(await runJob(tooLong, createCharge, { id })).to.equal('retry');
    expect(await creates()).to.equal(0);
    await work();
    expect(await stored(stack, charge)).to.include({ status: 'pending' });
  });

  it('sends nothing through a connection that was disabled meanwhile, and the charge fails with a reason', async () => {
    const charge = await newCharge(stack);
    await disable();
    await work();
    expect(await stored(stack, charge)).to.include({
      status: 'failed',
      failure_message: 'No provider took the payment: The connection to the provider was disabled.',
    });
    expect(await creates()).to.equal(0);
  });

  it('keeps checking a payment that may exist when a later try is refused', async () => {
    await stack.control.faults({ provider: 'paystack', error_rate: 1 });
    const charge = await newCharge(stack);
    await work();
    await stack.control.faults();
    await disable();
    stack.clock.advance(5 * MINUTE);
    await work();
    const [attempt] = (await stored(stack, charge)).attempts;
    expect(attempt).to.include({ status: 'lost' });
    expect(attempt!.due_at).to.be.instanceOf(Date);
  });
});
