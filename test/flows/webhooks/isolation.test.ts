import { expect } from 'chai';
import { MINUTE } from '../../support/clock.ts';
import { withShortTimeouts } from '../../support/short-timeouts.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { cancelPending, type Listener, openListener } from './fixture.ts';

const EACH = 30;

describe('An endpoint that hangs', () => {
  let stack: Stack;
  let slow: Listener;
  let well: Listener;
  before(async () => {
    stack = await startStack();
  });
  after(() => stack[Symbol.asyncDispose]());
  beforeEach(async () => {
    slow = await openListener(stack);
    well = await openListener(stack, slow.merchant);
  });
  afterEach(async () => {
    await expectNoLeaks(stack);
    await cancelPending(stack);
    await slow[Symbol.asyncDispose]();
    await well[Symbol.asyncDispose]();
  });

  /** Lets the server hang; counts the most requests it held at once. */
  const hang = () => {
    const hanging = slow.hangs();
    const take = slow.server.answer;
    const seen = { most: 0 };
    slow.server.answer = (...call) => {
      take(...call);
      seen.most = Math.max(seen.most, hanging.held);
    };
    return Object.assign(seen, { answer: hanging.answer, held: () => hanging.held });
  };
  const delivered = async (listener: Listener) =>
    (await listener.deliveries('status=delivered')).length;

  it('has at most ten deliveries in flight, and other endpoints get theirs meanwhile', async () => {
    const hanging = hang();
    const events = await slow.happen(EACH);
    await until(
      'all of the other',
      async () => (await delivered(well)) === EACH && hanging.held() >= 10,
    );
    expect([...well.arrived()].sort()).to.deep.equal([...events].sort());
    expect([hanging.most, await delivered(slow)]).to.deep.equal([10, 0]);
    hanging.answer(500);
    slow.answers(500);
    await stack.settle();
  });

  it('and fails has at most two in flight from then on', async () => {
    slow.answers(500);
    await slow.happen(1);
    await stack.settle();
    const hanging = hang();
    await withShortTimeouts(stack, ['deliveryMs'], async () => {
      await slow.happen(EACH);
      stack.clock.advance(2 * MINUTE);
      await stack.settle();
    });
    expect(hanging.most).to.be.within(1, 2);
    expect(await delivered(well)).to.equal(EACH + 1);
  });

  it('and works again gets every snoozed delivery at once, without waiting for the end of the snooze', async () => {
    const hanging = hang();
    const events = await slow.happen(EACH);
    await until('ten', async () => hanging.held() === 10);
    await until('the others snoozed', async () => {
      const [row] = await stack.context.db.query<{ count: number }>(
        'select count(*) as count from deliveries where endpoint_id = $1 and snoozes = 1',
        [slow.endpointId],
      );
      return row!.count === EACH - 10;
    });
    slow.answers(200);
    hanging.answer(200);
    await until('all', async () => slow.arrived().length === EACH);
    await stack.settle();
    expect([...slow.arrived()].sort()).to.deep.equal([...events].sort());
    const deliveries = await slow.deliveries();
    expect(deliveries.map(({ status, tries }) => [status, tries.length])).to.deep.equal(
      Array(EACH).fill(['delivered', 1]),
    );
  });

  it('costs no delivery a try while it waits for a slot', async () => {
    hang();
    await withShortTimeouts(stack, ['deliveryMs'], async () => {
      await slow.happen(EACH);
      await stack.settle();
      for (let times = 0; times < 3; times++) {
        stack.clock.advance(40_000);
        await stack.settle();
      }
    });
    slow.answers(200);
    for (let minutes = 0; minutes < 8; minutes++) {
      stack.clock.advance(MINUTE);
      await stack.settle();
    }
    const deliveries = await slow.deliveries();
    expect(deliveries.map(({ status }) => status)).to.deep.equal(Array(EACH).fill('delivered'));
    expect(deliveries.reduce((sum, { try_count }) => sum + try_count, 0)).to.equal(
      slow.arrived().length,
    );
  });
});
