import { expect } from 'chai';
import { HOUSEKEEPING } from '../../domain/jobs.ts';
import { keepHouse } from '../../workers/housekeeping.ts';
import { newCharge, openCharge } from '../support/charges.ts';
import { DAY, HOUR } from '../support/clock.ts';
import { describeOnEachQueue } from '../support/each-queue.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

describe('Housekeeping', () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await startStack();
  });
  afterEach(() => stack[Symbol.asyncDispose]());

  const rows = async () => ({
    idempotency_keys: await stack.count('idempotency_keys'),
    notifications: await stack.count('notifications'),
    delivery_tries: await stack.count('delivery_tries'),
    evidence: await stack.count('evidence'),
  });

  it('keeps every growing table for its time, and no longer', async () => {
    await stack.api.post('/charges', { amount_kobo: 10_000, email: 'a@b.example' }, { idempotencyKey: 'k' });
    const charge = await openCharge(stack);
    await stack.control.pay(charge.reference);
    await stack.settle();
    const all = { idempotency_keys: 1, notifications: 1, delivery_tries: 1, evidence: 1 };
    expect(await rows()).to.deep.equal(all);
    stack.clock.advance(7 * DAY - HOUR);
    await keepHouse(stack.context);
    expect(await rows()).to.deep.equal(all);
    stack.clock.advance(2 * HOUR);
    expect((await keepHouse(stack.context)).dropped).to.include({ idempotency_keys: 1 });
    stack.clock.advance(23 * DAY);
    await keepHouse(stack.context);
    expect(await rows()).to.deep.equal({ idempotency_keys: 0, notifications: 0, delivery_tries: 0, evidence: 1 });
    stack.clock.advance(371 * DAY);
    await keepHouse(stack.context);
    expect(await rows()).to.deep.include({ evidence: 0 });
    expect(await stack.count('charges'), 'charges are kept').to.equal(2);
  });

  it('twice at once fails an overdue charge once', async () => {
    await stack.control.faults({ provider: 'paystack', error_rate: 1 });
    await stack.context.db.query("update connections set credentials = 'unreadable.x'"); // nothing is ever sent
    await newCharge(stack);
    await stack.context.db.query('update attempts set sent_at = null, due_at = null');
    stack.clock.advance(25 * HOUR);
    await Promise.all([keepHouse(stack.context), keepHouse(stack.context)]);
    expect(await stack.count("events where type = 'charge.failed'")).to.equal(1);
  });
});

describeOnEachQueue('The housekeeping schedule', (queues) => {
  it('runs its job to the end', async () => {
    await using stack = await startStack({ queues });
    const queue = stack.context.queues.all.get(HOUSEKEEPING)!;
    await until('the first run', async () => (await queue.getCompletedCount()) + (await queue.getFailedCount()) > 0);
    expect(await queue.getFailedCount()).to.equal(0);
  });
});
