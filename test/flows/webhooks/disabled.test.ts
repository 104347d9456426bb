import { expect } from 'chai';
import { DAY, HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { useStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { codesOf, sendMissed, useListener } from './fixture.ts';

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

  describe('that answers 410', () => {
    it('is disabled with its reason and its pending deliveries are cancelled; enabled again, it receives exactly what it missed, once', async () => {
      await publishAndSettle(2);
      listener.answers(500);
      const waiting = await publishAndSettle(3);
      listener.answers(410);
      const [refused] = await publishAndSettle();
      const { status, disabled_reason, disabled_at, missed_since, pending_deliveries } =
        await listener.endpoint();
      expect([status, disabled_reason, pending_deliveries]).to.deep.equal(['disabled', 'gone', 0]);
      expect(Date.parse(disabled_at)).to.be.within(
        stack.clock().getTime() - SECOND,
        stack.clock().getTime(),
      );
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
      expect(await sendMissed(stack, listener)).to.equal(6);
      expect(listener.arrived().sort()).to.deep.equal([...waiting, refused, ...missed].sort());
      expect((await listener.endpoint()).missed_since).to.equal(null);
      await stack.pass(2 * DAY);
      expect(listener.arrived()).to.have.length(6);
    });
  });

  describe('that fails every delivery', () => {
    const halfDays = async (count: number) => {
      const events: string[] = [];
      for (let half = 0; half < count; half++) {
        stack.clock.advance(DAY / 2);
        events.push(...(await publishAndSettle()));
      }
      return events;
    };

    it('is disabled after five days with its reason; enabled again, it receives exactly what it missed since its first failure, once', async () => {
      const arrivedWell = await publishAndSettle(2);
      listener.answers(500);
      const [first] = await publishAndSettle();
      const later = await halfDays(9);
      expect(await listener.endpoint(), 'four days and a half').to.include({
        status: 'enabled',
        disabled_reason: null,
      });
      const last = await halfDays(2);
      const { status, disabled_reason, missed_since } = await listener.endpoint();
      expect([status, disabled_reason]).to.deep.equal(['disabled', 'failing']);
      expect(Date.parse(missed_since)).to.be.within(
        (await eventAt(arrivedWell[0]!)) - MINUTE,
        await eventAt(first!),
      );
      expect(await statuses()).not.to.include('pending');

      const missed = await halfDays(2);
      expect(await sendMissed(stack, listener)).to.equal(1 + 9 + 2 + 2);
      expect(listener.arrived().sort(), 'each once, and nothing that arrived before').to.deep.equal(
        [first, ...later, ...last, ...missed].sort(),
      );
      expect(await listener.endpoint()).to.include({ status: 'enabled', missed_since: null });
    });
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
});
