import { expect } from 'chai';
import { DAY, HOUR } from '../../support/clock.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { cancelPending, type Listener, openListener, sendMissed } from './fixture.ts';

describe('An endpoint with a delivery in flight', () => {
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
  /** Publishes an event and waits for its request, which stays open. */
  const inFlight = async () => {
    const requests = listener.keepRequestsOpen();
    await listener.publishEvents();
    await until('the arrival', async () => requests.open === 1);
    return requests;
  };
  const tried = async () => {
    const { tries } = await listener.delivery();
    return tries.map((made: any) => made.status_code);
  };

  for (const status of [200, 500, 410]) {
    it(`records the try and is sent nothing more when it is disabled meanwhile: ${status}`, async () => {
      const requests = await inFlight();
      await listener.setStatus('disabled');
      requests.answer(status);
      await until('the record', async () => (await tried()).length > 0);
      await pass(2 * DAY);
      expect(await tried()).to.deep.equal([status]);
      expect((await listener.delivery()).status).to.equal(
        status === 200 ? 'delivered' : 'cancelled',
      );
      expect(await listener.endpoint()).to.include({
        status: 'disabled',
        disabled_reason: 'by_hand',
        pending_deliveries: 0,
      });
      expect(listener.arrived()).to.have.length(1);
    });
  }

  it('records the try and is sent nothing more when it is deleted meanwhile', async () => {
    const requests = await inFlight();
    const [waiting] = await publishWhile(requests);
    await (await listener.signedIn()).remove(`/webhook-endpoints/${listener.endpointId}`);
    requests.answer(500);
    await stack.settle();
    await pass(2 * DAY);
    const deliveries = await listener.deliveries();
    expect(
      deliveries.map(({ status, tries }) => [status, tries.map((made: any) => made.status_code)]),
    ).to.deep.equal([
      ['cancelled', [500]],
      ['cancelled', [500]],
    ]);
    expect(listener.arrived().filter((id) => id === waiting)).to.have.length(1);
  });

  it('is not sent a retry when it is disabled and enabled meanwhile, but receives the event with what it missed', async () => {
    const requests = await inFlight();
    await listener.setStatus('disabled');
    await listener.setStatus('enabled');
    requests.answer(500);
    await until('the record', async () => (await tried()).length > 0);
    await pass(HOUR);
    expect(listener.arrived()).to.have.length(1);
    expect((await listener.delivery()).status).to.equal('cancelled');
    expect(await sendMissed(stack, listener)).to.equal(1);
    expect(listener.arrived()).to.have.length(1);
  });

  it('stays enabled when a success is recorded before a failure that began earlier', async () => {
    listener.answers(500);
    await listener.publishEvents();
    await stack.settle();
    await cancelPending(stack);
    await pass(6 * DAY);
    const requests = listener.keepRequestsOpen();
    await listener.publishEvents(2);
    await until('both requests', async () => requests.open === 2);
    requests.answer(200, 1);
    await until(
      'the success',
      async () => (await listener.deliveries('status=delivered')).length === 1,
    );
    requests.answer(500, 1);
    await stack.settle();
    expect(await listener.endpoint()).to.include({ status: 'enabled' });
  });

  it('counts as working when a success is recorded after a failure that began later', async () => {
    const requests = listener.keepRequestsOpen();
    await listener.publishEvents(2);
    await until('both requests', async () => requests.open === 2);
    requests.answer(500, 1);
    await until('the failure', async () =>
      (await listener.deliveries()).some(({ try_count }) => try_count === 1),
    );
    requests.answer(200, 1);
    await until(
      'the success',
      async () => (await listener.deliveries('status=delivered')).length === 1,
    );
    await stack.settle();
    const [row] = await stack.context.db.query<{ failing_since: Date | null }>(
      'select failing_since from webhook_endpoints where id = $1',
      [listener.endpointId],
    );
    expect(row!.failing_since).to.equal(null);
  });

  const publishWhile = async (requests: { open: number }) => {
    const events = await listener.publishEvents();
    await until('two open requests', async () => requests.open === 2);
    return events;
  };
});
