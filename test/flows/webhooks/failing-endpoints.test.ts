import { expect } from 'chai';
import { DAY, HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { withShortTimeouts } from '../../support/short-timeouts.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { cancelPending, codesOf, type Listener, sendMissed, useListener } from './fixture.ts';

const EACH = 30;
/** Each takes a time-out. */
const FEW = 8;

describe('An endpoint', () => {
  const stack = useStack();
  const listener = useListener(stack);

  const publishAndSettle = async (count = 1) => {
    const events = await listener.publishEvents(count);
    await stack.settle();
    return events;
  };
  const statuses = async () => (await listener.deliveries()).map(({ status }) => status);
  const eventAt = async (id: string) => {
    const [event] = await stack.sql`select created_at from events where id = ${id}`;
    return event.created_at.getTime();
  };

  /** Enabled again, it receives these events, each once, and nothing that arrived before. */
  const expectSentOnce = async (...missed: string[]) => {
    expect(await sendMissed(stack, listener)).to.equal(missed.length);
    await stack.pass(2 * DAY);
    expect(listener.arrived().sort()).to.deep.equal(missed.sort());
    expect(await listener.endpoint()).to.include({ status: 'enabled', missed_since: null });
  };

  it('that answers 410 is disabled with its reason and its pending deliveries are cancelled; enabled again, it receives exactly what it missed', async () => {
    await publishAndSettle(2);
    listener.answers(500);
    const waiting = await publishAndSettle(3);
    listener.answers(410);
    const [refused] = await publishAndSettle();
    const { disabled_at, missed_since, ...endpoint } = await listener.endpoint();
    const disabled = { status: 'disabled', disabled_reason: 'gone', pending_deliveries: 0 };
    expect(endpoint).to.include(disabled);
    const now = stack.clock().getTime();
    expect(Date.parse(disabled_at)).to.be.within(now - SECOND, now);
    expect(Date.parse(missed_since)).to.be.at.most(await eventAt(waiting[0]!));
    expect(await statuses()).to.deep.equal([
      ...Array(2).fill('delivered'),
      ...Array(3).fill('cancelled'),
      'exhausted',
    ]);
    const arrivedBefore = listener.arrived().length;
    const missed = await publishAndSettle(2);
    await stack.pass(2 * DAY);
    expect(listener.arrived()).to.have.length(arrivedBefore);
    await expectSentOnce(...waiting, refused!, ...missed);
  });

  it('that fails every delivery is disabled after five days with its reason; enabled again, it receives exactly what it missed since its first failure', async () => {
    const halfDays = async (count: number) => {
      const events: string[] = [];
      for (let half = 0; half < count; half++) {
        stack.clock.advance(DAY / 2);
        events.push(...(await publishAndSettle()));
      }
      return events;
    };
    const arrivedWell = await publishAndSettle(2);
    listener.answers(500);
    const [first] = await publishAndSettle();
    const later = await halfDays(9);
    const enabled = { status: 'enabled', disabled_reason: null };
    expect(await listener.endpoint(), 'four days and a half').to.include(enabled);
    const last = await halfDays(2);
    const { missed_since, ...endpoint } = await listener.endpoint();
    expect(endpoint).to.include({ status: 'disabled', disabled_reason: 'failing' });
    const earliest = (await eventAt(arrivedWell[0]!)) - MINUTE;
    expect(Date.parse(missed_since)).to.be.within(earliest, await eventAt(first!));
    expect(await statuses()).not.to.include('pending');
    await expectSentOnce(first!, ...later, ...last, ...(await halfDays(2)));
  });

  describe('with a delivery in flight', () => {
    const inFlight = async () => {
      const requests = listener.keepRequestsOpen();
      await listener.publishEvents();
      await until('the arrival', async () => requests.open === 1);
      return requests;
    };

    // What a try means that ends after its endpoint was disabled: test/domain/webhooks/delivery.
    it('records the try and is sent nothing more when it is deleted meanwhile', async () => {
      const requests = await inFlight();
      const [waiting] = await listener.publishEvents();
      await until('two open requests', async () => requests.open === 2);
      await (await listener.signedIn()).remove(listener.path);
      requests.answer(500);
      await stack.settle();
      await stack.pass(2 * DAY);
      const deliveries = await listener.deliveries();
      const ended = deliveries.map((each) => [each.status, codesOf(each)]);
      expect(ended).to.deep.equal(Array(2).fill(['cancelled', [500]]));
      expect(listener.arrived().filter((id) => id === waiting)).to.have.length(1);
    });

    it('is not sent a retry when it is disabled and enabled meanwhile, but receives the event with what it missed', async () => {
      const requests = await inFlight();
      await listener.setStatus('disabled');
      await listener.setStatus('enabled');
      requests.answer(500);
      await until('the record', async () => (await listener.tried()).length > 0);
      await stack.pass(HOUR);
      expect(listener.arrived()).to.have.length(1);
      expect((await listener.delivery()).status).to.equal('cancelled');
      expect(await sendMissed(stack, listener)).to.equal(1);
      expect(listener.arrived()).to.have.length(1);
    });
  });

  describe('that does not answer', () => {
    const slow = listener;
    const healthy = useListener(stack, slow);

    const delivered = async (listener: Listener) =>
      (await listener.deliveries('status=delivered')).length;

    it('has at most ten deliveries in flight, and other endpoints receive theirs meanwhile', async () => {
      const requests = slow.keepRequestsOpen();
      const events = await slow.publishEvents(EACH);
      await until(
        'every delivery to the other endpoint',
        async () => (await delivered(healthy)) === EACH && requests.open >= 10,
      );
      expect([...healthy.arrived()].sort()).to.deep.equal([...events].sort());
      expect([requests.most, await delivered(slow)]).to.deep.equal([10, 0]);
      requests.answer(500);
      slow.answers(500);
      await stack.settle();
    });

    it('leaves nothing waiting in the queue, however many deliveries are due to it', async () => {
      const requests = slow.keepRequestsOpen();
      await Promise.all(Array.from({ length: 10 }, () => slow.publishEvents(50)));
      await until('ten open requests', async () => requests.open === 10);
      const [event] = await healthy.publishEvents(1);
      await until('the event', async () => healthy.arrived().includes(event!));
      const queue = stack.context.queues.all.get('webhook-deliver')!;
      await until('a queue without waiting jobs', async () => {
        const { waiting, prioritized } = await queue.getJobCounts('waiting', 'prioritized');
        return waiting === 0 && prioritized === 0;
      });
      expect([requests.most, slow.arrived().length]).to.deep.equal([10, 10]);
      await cancelPending(stack);
      requests.answer(200);
      slow.answers(200);
      await stack.settle();
    });

    it('has at most two deliveries in flight once it fails', async () => {
      slow.answers(500);
      await slow.publishEvents(1);
      await stack.settle();
      const requests = slow.keepRequestsOpen();
      await withShortTimeouts(stack, ['deliveryMs'], async () => {
        await slow.publishEvents(FEW);
        await stack.pass(2 * MINUTE);
      });
      expect(requests.most).to.be.within(1, 2);
      expect(await delivered(healthy)).to.equal(FEW + 1);
    });

    it('receives every waiting delivery as soon as it answers again', async () => {
      const requests = slow.keepRequestsOpen();
      const events = await slow.publishEvents(EACH);
      await until('ten open requests', async () => requests.open === 10);
      slow.answers(200);
      requests.answer(200);
      await until('every delivery', async () => slow.arrived().length === EACH);
      await stack.settle();
      expect([...slow.arrived()].sort()).to.deep.equal([...events].sort());
      const deliveries = await slow.deliveries();
      expect(deliveries.map(({ status, tries }) => [status, tries.length])).to.deep.equal(
        Array(EACH).fill(['delivered', 1]),
      );
    });
  });
});
