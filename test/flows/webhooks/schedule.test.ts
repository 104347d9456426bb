import { expect } from 'chai';
import { DAY, HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { GENUINE, verified } from '../../support/merchant-server.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';
import { cancelPending, type Listener, openListener } from './fixture.ts';

const WAITS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];
/** The test clock moves each time it is read: at most so much between a try and its record. */
const LOOKUPS_MS = 200;
const MOST = 1 - Number.EPSILON;

describe('The schedule of a webhook that fails', () => {
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

  const chance = (random: number) => {
    stack.context.random = () => random;
  };
  const pass = async (ms: number) => {
    stack.clock.advance(ms);
    await stack.settle();
  };
  const arrivals = () => listener.server.arrivals;
  const nextTryAt = async () => Date.parse((await listener.delivery()).next_try_at);
  /** Advances the clock to the next try; returns the wait by the merchant's own clock. */
  const nextTry = async () => {
    const seen = arrivals().length;
    const due = await nextTryAt();
    await pass(due - stack.clock().getTime() - 2 * SECOND);
    expect(arrivals(), 'not before its wait is over').to.have.length(seen);
    await pass(2 * SECOND);
    expect(arrivals(), 'as soon as its wait is over').to.have.length(seen + 1);
    return arrivals()[seen]!.at.getTime() - arrivals()[seen - 1]!.at.getTime();
  };

  for (const [spread, random] of [
    [0, 0],
    [0.1, MOST],
    [0.05, 0.5],
  ] as const) {
    it(`waits as scheduled before each try, and ${spread * 100} % longer by jitter; nothing follows the last try`, async () => {
      chance(random);
      listener.answers(500);
      const [event] = await listener.publishEvents();
      await stack.settle();
      for (const wait of WAITS)
        expect(await nextTry()).to.be.within(
          wait * (1 + spread),
          wait * (1 + spread) + LOOKUPS_MS + 2 * SECOND,
        );
      await pass(30 * DAY);
      expect(listener.arrived()).to.deep.equal(Array(7).fill(event));
      expect(arrivals().at(-1)!.at.getTime() - arrivals()[0]!.at.getTime()).to.be.at.most(DAY);
    });
  }

  it('counts each wait from the end of the previous try', async () => {
    chance(0);
    const tookMs = 9 * SECOND;
    listener.server.answer = (response) => {
      stack.clock.advance(tookMs);
      response.writeHead(500).end();
    };
    await listener.publishEvents();
    await stack.settle();
    for (const wait of WAITS)
      expect((await nextTry()) - tookMs).to.be.within(wait, wait + LOOKUPS_MS + 2 * SECOND);
  });

  it('ends with every try in the API; resent, the same event arrives with a new signature', async () => {
    chance(0.5);
    listener.answers(503);
    const [event] = await listener.publishEvents();
    await stack.settle();
    for (const _ of WAITS) await nextTry();

    const lost = await listener.delivery('status=exhausted');
    expect(lost).to.deep.include({
      event_id: event,
      status: 'exhausted',
      try_count: 7,
      last_status_code: 503,
      next_try_at: null,
    });
    expect(lost.tries.map((made: any) => [made.try, made.status_code, made.answer])).to.deep.equal(
      Array.from({ length: 7 }, (_, place) => [place + 1, 503, 'noted']),
    );
    for (const [place, { at }] of lost.tries.entries()) {
      expect(Date.parse(at)).to.be.within(
        arrivals()[place]!.at.getTime() - LOOKUPS_MS,
        arrivals()[place]!.at.getTime(),
      );
    }

    await pass(3 * DAY);
    const { post } = await listener.signedIn();
    listener.answers(500);
    const { status, json: again } = await post(`/deliveries/${lost.id}/resend`);
    expect([status, again.resend_of, again.status]).to.deep.equal([201, lost.id, 'pending']);
    await stack.settle();
    listener.answers(200);
    await pass(67 * SECOND);
    expect(await listener.delivery('status=delivered')).to.include({
      id: again.id,
      event_id: event,
      try_count: 2,
    });
    expect(
      await listener.delivery('status=exhausted'),
      'the old one stays as it was',
    ).to.deep.equal(lost);
    expect(arrivals()).to.have.length(9);
    expect(new Set(arrivals().map(({ body }) => body)).size).to.equal(1);
    expect(verified(arrivals().at(-1)!, listener.secret)).to.deep.equal(GENUINE);
  });

  it('is cancelled when the delivery is resent while pending, and the event arrives once', async () => {
    listener.answers(500);
    await listener.publishEvents();
    await stack.settle();
    const { id } = await listener.delivery();
    listener.answers(200);
    const { post } = await listener.signedIn();
    expect((await post(`/deliveries/${id}/resend`)).status).to.equal(201);
    await stack.settle();
    await pass(DAY);
    expect((await listener.deliveries()).map(({ status }) => status)).to.deep.equal([
      'cancelled',
      'delivered',
    ]);
    expect(arrivals()).to.have.length(2);
  });

  describe('whose endpoint answers Retry-After', () => {
    it('waits as long as Retry-After says but no longer than the next step, each time, and not beyond a day', async () => {
      chance(0);
      listener.answers(429, { 'retry-after': '86400' });
      await listener.publishEvents();
      await stack.settle();
      const lengthened = [5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];
      for (const wait of lengthened)
        expect(await nextTry()).to.be.within(wait, wait + LOOKUPS_MS + 2 * SECOND);
      await pass(30 * DAY);
      expect(arrivals()).to.have.length(6);
      expect(await listener.delivery()).to.include({ status: 'exhausted', try_count: 6 });
    });

    it('lengthens only that wait, given in seconds or as a date, on a 429 or a 503', async () => {
      chance(0);
      listener.answers(503, { 'retry-after': '120' });
      await listener.publishEvents();
      await stack.settle();
      expect(await nextTryAt()).to.be.within(
        arrivals()[0]!.at.getTime() + 2 * MINUTE,
        arrivals()[0]!.at.getTime() + 2 * MINUTE + LOOKUPS_MS,
      );
      listener.answers(500, { 'retry-after': '1700' });
      expect(await nextTry()).to.be.within(2 * MINUTE, 2 * MINUTE + LOOKUPS_MS + 2 * SECOND);
      const until = new Date(stack.clock().getTime() + 5 * MINUTE + 20 * MINUTE);
      listener.answers(429, { 'retry-after': until.toUTCString() });
      expect(await nextTry(), 'a 500 has no say in it').to.be.within(
        5 * MINUTE,
        5 * MINUTE + LOOKUPS_MS + 2 * SECOND,
      );
      expect(await nextTry(), 'sooner than its wait is no longer than its wait').to.be.within(
        30 * MINUTE,
        30 * MINUTE + LOOKUPS_MS + 2 * SECOND,
      );
    });
  });
});
