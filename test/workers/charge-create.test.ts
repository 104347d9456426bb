import { expect } from 'chai';
import type { AttemptToCreate } from '../../domain/payments/attempt/to-create.ts';
import { createCharge } from '../../workers/charge-create.ts';
import { runJob } from '../../workers/run-job.ts';
import { newCharge, stored } from '../support/charges.ts';
import { MINUTE } from '../support/clock.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const WAITING = `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

describe('The create job', () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await startStack({ workers: false });
  });
  afterEach(() => stack[Symbol.asyncDispose]());

  const creates = async () => (await stack.control.stats()).paystack?.creates ?? 0;

  it('runs once, however often it is enqueued', async () => {
    const [{ id }] = (await stored(stack, await newCharge(stack))).attempts as [{ id: string }];
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map(() => runJob(stack.context, createCharge, { id })),
    );
    expect(outcomes.sort()).to.deep.equal(['completed', undefined, undefined, undefined]);
    expect(await runJob(stack.context, createCharge, { id })).to.equal(undefined);
    expect(await creates()).to.equal(1);
  });

  it('sends nothing when the lease is nearly over before the call; the row is retried at once', async () => {
    const charge = await newCharge(stack);
    const [{ id }] = (await stored(stack, charge)).attempts as [{ id: string }];
    const tooLong = {
      ...stack.context,
      timeouts: { ...stack.context.timeouts, createMs: 10 * MINUTE },
    };
    expect(await runJob(tooLong, createCharge, { id })).to.equal('retry');
    expect(await creates()).to.equal(0);
    stack.startWorkers();
    await stack.settle();
    expect(await stored(stack, charge)).to.include({ status: 'pending' });
  });

  it('sends nothing when another worker has claimed the row, and leaves it to that one', async () => {
    const charge = await newCharge(stack);
    const [attempt] = (await stored(stack, charge)).attempts as [any];
    const dueAt = new Date(stack.clock().getTime() + MINUTE);
    await stack.context.db.query('update attempts set tries = 2, due_at = $1', [dueAt]);
    const [claimed] = await stack.context.db.query<AttemptToCreate>(
      `with claimed as (select * from attempts where id = $1) ${createCharge.select}`,
      [attempt.id],
    );
    const [outcome] = createCharge.handle(stack.context, [{ ...claimed!, tries: 1 }]);
    expect(await outcome).to.include({ type: 'retry' });
    expect(await creates()).to.equal(0);
    expect((await stored(stack, charge)).attempts[0]!.due_at).to.deep.equal(dueAt);
  });

  it('sends nothing for a charge that is cancelled just before, and ends its attempt', async () => {
    const charge = await newCharge(stack);
    const [attempt] = (await stored(stack, charge)).attempts as [{ id: string; charge_id: string }];
    const { running } = await stack.context.db.transaction(async (sql) => {
      await sql.query('update charges set cancel_requested_at = $2 where id = $1', [
        attempt.charge_id,
        stack.clock(),
      ]);
      const running = runJob(stack.context, createCharge, attempt);
      await until(
        'the worker waiting for the charge',
        async () => (await stack.count(WAITING)) > 0,
      );
      return { running };
    });
    expect(await running).to.equal('retry');
    expect(await runJob(stack.context, createCharge, attempt)).to.equal('completed');
    expect(await creates()).to.equal(0);
    const { attempts, ...row } = await stored(stack, charge);
    expect(attempts.map(({ status, sent_at: sentAt }) => [status, sentAt])).to.deep.equal([
      ['cancelled', null],
    ]);
    expect(row).to.include({ status: 'failed', failure_cause: 'cancelled' });
  });

  it('sends nothing through a connection that was disabled meanwhile, and the charge fails with a reason', async () => {
    const charge = await newCharge(stack);
    await stack.context.db.query('update connections set disabled_at = $1', [stack.clock()]);
    stack.startWorkers();
    await stack.settle();
    const { status, failure_message } = await stored(stack, charge);
    expect(status).to.equal('failed');
    expect(failure_message).to.equal(
      'No provider took the payment: The connection to the provider was disabled.',
    );
    expect(await creates()).to.equal(0);
  });

  it('keeps checking a payment that may exist when a later try is refused', async () => {
    await stack.control.faults({ provider: 'paystack', error_rate: 1 });
    const charge = await newCharge(stack);
    stack.startWorkers();
    await stack.settle();
    await stack.control.faults();
    await stack.context.db.query('update connections set disabled_at = $1', [stack.clock()]);
    stack.clock.advance(5 * MINUTE);
    await stack.settle();
    const [attempt] = (await stored(stack, charge)).attempts;
    expect(attempt).to.include({ status: 'lost' });
    expect(attempt!.due_at).to.be.instanceOf(Date);
  });
});
