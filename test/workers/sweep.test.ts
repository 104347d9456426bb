import { newCharge, stored } from '../support/charges.ts';
import { SECOND } from '../support/clock.ts';
import { emptyQueues } from '../support/reset-stack.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

describe('Workers by themselves', () => {
  let stack: Stack;
  before(async () => {
    stack = await startStack({ workers: false, sweeps: true });
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));

  it('enqueue again what lost its job, and schedule the housekeeping', async () => {
    const charge = await newCharge(stack);
    await emptyQueues(stack);
    stack.clock.advance(2 * SECOND);
    await using _workers = stack.startWorkers();
    await until('an open payment', async () => (await stored(stack, charge)).status === 'pending');
    await until('a task that housekeeping gives', async () => {
      const [row] = await stack.context.db.query<{ count: number }>(
        `select count(*) as count from connection_tasks where task = 'disputes'`,
      );
      return row!.count > 0;
    });
  });
});
