import { expect } from 'chai';
import { createCharge } from '../../workers/create-charge.ts';
import { runJob } from '../../workers/pool.ts';
import { newCharge, stored } from '../support/charges.ts';
import { MINUTE } from '../support/clock.ts';
import { type Stack, startStack } from '../support/stack.ts';

describe('The create job', () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await startStack({ workers: false });
  });
  afterEach(() => stack[Symbol.asyncDispose]());

  const creates = async () => (await stack.control.stats()).paystack?.creates ?? 0;

  it('does its work once, however often its bell is heard', async () => {
    const charge = await newCharge(stack);
    const [{ id }] = (await stored(stack, charge)).attempts as [{ id: string }];
    const heard = await Promise.all([1, 2, 3, 4].map(() => runJob(stack.context, createCharge, { id, tries: 0 })));
    expect(heard.sort()).to.deep.equal(['done', 'skipped', 'skipped', 'skipped']);
    expect(await runJob(stack.context, createCharge, { id, tries: 0 })).to.equal('skipped');
    expect(await creates()).to.equal(1);
  });

  it('sends nothing when it was held up until another worker had taken over', async () => {
    const charge = await newCharge(stack);
    const [attempt] = (await stored(stack, charge)).attempts as [any];
    await stack.context.db.query('update attempts set tries = 2, due_at = $1', [new Date(stack.clock().getTime() + MINUTE)]);
    const outcome = await createCharge.work(stack.context, { ...attempt, tries: 1 });
    expect(outcome).to.deep.equal({ type: 'never', reason: 'another worker has taken over' });
    expect(await creates()).to.equal(0);
  });

  it('sends nothing through a connection that was disabled meanwhile, and the charge fails in plain words', async () => {
    const charge = await newCharge(stack);
    await stack.context.db.query('update connections set disabled_at = $1', [stack.clock()]);
    stack.startWorkers();
    await stack.settle();
    const { status, failure_message } = await stored(stack, charge);
    expect(status).to.equal('failed');
    expect(failure_message).to.equal('No provider took the payment: The connection to the provider was disabled.');
    expect(await creates()).to.equal(0);
  });

  it('goes on watching what may have arrived when a later try is refused', async () => {
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
