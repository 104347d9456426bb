import { expect } from 'chai';
import { DAY, MINUTE, SECOND } from '../../support/clock.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { cancelPending, type Listener, openListener, sendMissed } from './fixture.ts';

describe('An endpoint', () => {
  let stack: Stack;
  let listener: Listener;
  before(async () => {
    stack = await startStack();
  });
  after(() => stack[Symbol.asyncDispose]());
  beforeEach(async () => {
    listener = await openListener(stack);
  });
  afterEach(async () => {
    await expectNoLeaks(stack);
    await cancelPending(stack);
    await listener[Symbol.asyncDispose]();
  });

  const pass = async (ms: number) => {
    stack.clock.advance(ms);
    await stack.settle();
  };
  const publishAndSettle = async (count = 1) => {
    const events = await listener.publishEvents(count);
    await stack.settle();
    return events;
  };
  const statuses = async () => (await listener.deliveries()).map(({ status }) => status);
  const eventAt = async (id: string) => {
    const [event] = await stack.context.db.query<{ created_at: Date }>(
      'select created_at from events where id = $1',
      [id],
    );
    return event!.created_at.getTime();
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
      expect({ status, disabled_reason, pending_deliveries }).to.deep.equal({
        ...{ status: 'disabled', disabled_reason: 'gone', pending_deliveries: 0 },
      });
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
      await pass(2 * DAY);
      expect(listener.arrived()).to.have.length(arrivedBefore);
      expect(await sendMissed(stack, listener)).to.equal(6);
      expect(listener.arrived().sort()).to.deep.equal([...waiting, refused, ...missed].sort());
      expect((await listener.endpoint()).missed_since).to.equal(null);
      await pass(2 * DAY);
      expect(listener.arrived()).to.have.length(6);
    });

    it('is disabled also when the 410 answers a second try, or one of several deliveries in flight', async () => {
      listener.answers(500);
      await publishAndSettle();
      listener.answers(410);
      await pass(67 * SECOND);
      expect(await listener.endpoint()).to.include({ status: 'disabled', disabled_reason: 'gone' });
      expect((await listener.delivery()).tries.map((made: any) => made.status_code)).to.deep.equal([
        500, 410,
      ]);

      await listener.setStatus('enabled');
      const requests = listener.keepRequestsOpen();
      await listener.publishEvents(2); // an endpoint that failed is sent two at once
      await until('both requests', async () => requests.open === 2);
      requests.answer(410);
      await stack.settle();
      expect(await listener.endpoint()).to.include({ status: 'disabled', disabled_reason: 'gone' });
      for (const status of (await statuses()).slice(1))
        expect(status).to.be.oneOf(['exhausted', 'cancelled']);
      expect(await sendMissed(stack, listener)).to.equal(3);
    });
  });

  describe('that fails every delivery', () => {
    /** Lets half days pass, with an event at the end of each. */
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
      expect({ status, disabled_reason }).to.deep.equal({
        status: 'disabled',
        disabled_reason: 'failing',
      });
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

    it('stays enabled after five days with one success in between', async () => {
      listener.answers(500);
      await publishAndSettle();
      await halfDays(8);
      listener.answers(200);
      await publishAndSettle();
      listener.answers(500);
      await halfDays(9);
      expect(await listener.endpoint()).to.include({ status: 'enabled' });
      await halfDays(2);
      expect(await listener.endpoint(), 'five days after that').to.include({
        status: 'disabled',
        disabled_reason: 'failing',
      });
    });

    it('has five days again after it is enabled or its URL changes', async () => {
      listener.answers(500);
      await publishAndSettle();
      await halfDays(11);
      await listener.setStatus('enabled');
      await halfDays(9);
      expect(await listener.endpoint()).to.include({ status: 'enabled' });
      const { patch } = await listener.signedIn();
      await patch(`/webhook-endpoints/${listener.endpointId}`, {
        url: `${listener.server.url}?again`,
      });
      await halfDays(9);
      expect(await listener.endpoint()).to.include({ status: 'enabled' });
    });

    it('is not affected by test deliveries, whatever their result', async () => {
      listener.answers(500);
      await publishAndSettle();
      await cancelPending(stack);
      await pass(6 * DAY);
      const { post } = await listener.signedIn();
      expect(
        (await post(`/webhook-endpoints/${listener.endpointId}/test`)).json.status_code,
      ).to.equal(500);
      expect(await listener.endpoint()).to.include({ status: 'enabled' });
    });
  });
});
