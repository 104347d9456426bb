import { expect } from 'chai';
import { MINUTE } from '../../support/clock.ts';
import { givingUpSoon } from '../../support/giving-up-soon.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { giveUpAll, type Listener, openListener } from './given.ts';

const EACH = 30;

describe('A server that hangs', () => {
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
    await giveUpAll(stack);
    await slow[Symbol.asyncDispose]();
    await well[Symbol.asyncDispose]();
  });

  /** Lets the server hang; tells how many waited for it at once, at the most. */
  const hanging = () => {
    const mood = slow.hangs();
    const take = slow.server.answer;
    const seen = { most: 0 };
    slow.server.answer = (...call) => {
      take(...call);
      seen.most = Math.max(seen.most, mood.held);
    };
    return Object.assign(seen, { answer: mood.answer, held: () => mood.held });
  };
  const delivered = async (listener: Listener) =>
    (await listener.deliveries('status=delivered')).length;

  it('is sent ten at once and no more, and everybody else gets theirs meanwhile', async () => {
    const mood = hanging();
    const events = await slow.happen(EACH);
    await until(
      'all of the other',
      async () => (await delivered(well)) === EACH && mood.held() >= 10,
    );
    expect([...well.arrived()].sort()).to.deep.equal([...events].sort());
    expect([mood.most, await delivered(slow)]).to.deep.equal([10, 0]);
    mood.answer(500);
    slow.answers(500);
    await stack.settle();
  });

  it('and fails, is sent two at once from then on', async () => {
    slow.answers(500);
    await slow.happen(1);
    await stack.settle();
    const mood = hanging();
    await givingUpSoon(stack, ['deliveryMs'], async () => {
      await slow.happen(EACH);
      stack.clock.advance(2 * MINUTE);
      await stack.settle();
    });
    expect(mood.most).to.be.within(1, 2);
    expect(await delivered(well)).to.equal(EACH + 1);
  });

  it('and is well again, gets all that was put back at once: nothing of it waits until it comes back by itself', async () => {
    const mood = hanging();
    const events = await slow.happen(EACH);
    await until('ten', async () => mood.held() === 10);
    await until('the others put back', async () => {
      const [row] = await stack.context.db.query<{ count: number }>(
        'select count(*) as count from deliveries where endpoint_id = $1 and snoozes = 1',
        [slow.endpointId],
      );
      return row!.count === EACH - 10;
    });
    slow.answers(200);
    mood.answer(200);
    await until('all', async () => slow.arrived().length === EACH);
    await stack.settle();
    expect([...slow.arrived()].sort()).to.deep.equal([...events].sort());
    const deliveries = await slow.deliveries();
    expect(deliveries.map(({ status, tries }) => [status, tries.length])).to.deep.equal(
      Array(EACH).fill(['delivered', 1]),
    );
  });

  it('costs no delivery a try while it waits for its turn', async () => {
    hanging();
    await givingUpSoon(stack, ['deliveryMs'], async () => {
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
