import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { publish } from '../../support/deliveries.ts';
import type { Arrival } from '../../support/merchant-server.ts';
import { type Stack, startStack } from '../../support/stack.ts';
import { cancelPending, type Listener, openListener } from './fixture.ts';

type Received = Pick<Arrival, 'headers' | 'body'>;

/** A verifier that a merchant writes from the contract alone. */
function isGenuine({ headers, body }: Received, secret: string, now: Date): boolean {
  const parts = String(headers['service-signature']).split(',');
  const stamp = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
  if (Math.abs(now.getTime() / 1000 - Number(stamp)) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${stamp}.${body}`).digest('hex');
  return parts.includes(`v1=${expected}`);
}

/** The Standard Webhooks library. It reads the machine's clock, so the test replaces that. */
function isGenuineByLibrary({ headers, body }: Received, secret: string, now: Date): boolean {
  const realNow = Date.now;
  Date.now = () => now.getTime();
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    Date.now = realNow;
  }
}

const verifiers = { plainly: isGenuine, byLibrary: isGenuineByLibrary };
const acceptedBy = (received: Received, secret: string, now: Date) =>
  Object.fromEntries(
    Object.entries(verifiers).map(([name, accepts]) => [name, accepts(received, secret, now)]),
  );
const [BOTH, NEITHER] = [
  { plainly: true, byLibrary: true },
  { plainly: false, byLibrary: false },
];

/** The body with one bit of one byte flipped. */
const changedAt = (body: string, place: number) =>
  body.slice(0, place) + String.fromCharCode(body.charCodeAt(place) ^ 1) + body.slice(place + 1);

describe('Every webhook', () => {
  let stack: Stack;
  let one: Listener;
  let other: Listener;
  before(async () => {
    stack = await startStack();
  });
  after(() => stack[Symbol.asyncDispose]());
  beforeEach(async () => {
    one = await openListener(stack);
    other = await openListener(stack, one.merchant);
  });
  afterEach(async () => {
    await cancelPending(stack);
    await one[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  const pass = async (ms: number) => {
    stack.clock.advance(ms);
    await stack.settle();
  };
  /** One event as first try, retry and resend; and a test delivery. */
  const everyKind = async () => {
    one.answers(500);
    await publish(one.merchant.of, 'charge.succeeded', {
      name: 'Adé ₦ 😀 "\\u0000',
      amount_kobo: 150_000,
    });
    await stack.settle();
    one.answers(200);
    await pass(67 * SECOND);
    const { post } = await one.signedIn();
    await post(`/deliveries/${(await one.delivery()).id}/resend`);
    await stack.settle();
    await pass(HOUR);
    expect((await post(`/webhook-endpoints/${one.endpointId}/test`)).json.status_code).to.equal(
      200,
    );
    expect(one.server.arrivals).to.have.length(4);
    return one.server.arrivals;
  };

  it("verifies with its endpoint's secret and no other, and with no byte changed: first try, retry, resend and test", async () => {
    for (const arrival of await everyKind()) {
      const { at, body, headers } = arrival;
      expect(acceptedBy(arrival, one.secret, at)).to.deep.equal(BOTH);
      expect(acceptedBy(arrival, other.secret, at), 'another endpoint’s secret').to.deep.equal(
        NEITHER,
      );
      for (let place = 0; place < body.length; place += 7) {
        expect(
          acceptedBy({ headers, body: changedAt(body, place) }, one.secret, at),
          `byte ${place}`,
        ).to.deep.equal(NEITHER);
      }
      expect(acceptedBy({ headers, body: `${body}\n` }, one.secret, at)).to.deep.equal(NEITHER);
    }
    const [elsewhere] = other.server.arrivals;
    expect(acceptedBy(elsewhere!, other.secret, elsewhere!.at)).to.deep.equal(BOTH);
    expect(acceptedBy(elsewhere!, one.secret, elsewhere!.at)).to.deep.equal(NEITHER);
  });

  it('is refused by verifiers after five minutes, and its timestamp cannot be changed', async () => {
    for (const arrival of await everyKind()) {
      const { at, body, headers } = arrival;
      const later = new Date(at.getTime() + 5 * MINUTE + 2 * SECOND);
      expect(acceptedBy(arrival, one.secret, later)).to.deep.equal(NEITHER);
      const stamp = String(Math.floor(later.getTime() / 1000));
      const young = {
        ...headers,
        'webhook-timestamp': stamp,
        'service-signature': String(headers['service-signature']).replace(/^t=\d+/, `t=${stamp}`),
      };
      expect(acceptedBy({ headers: young, body }, one.secret, later)).to.deep.equal(NEITHER);
      const renamed = { ...headers, 'webhook-id': `${headers['webhook-id']}x` };
      expect(
        isGenuineByLibrary({ headers: renamed, body }, one.secret, at),
        'the id of another event',
      ).to.equal(false);
    }
  });

  it('carries the bytes stored with the event, whatever changes later', async () => {
    const arrivals = (await everyKind()).slice(0, 3);
    const [event] = await stack.context.db.query<{ body: string }>(
      'select body from events where id = $1',
      [arrivals[0]!.event.id],
    );
    for (const { body, headers } of arrivals) {
      expect(body).to.equal(event!.body);
      expect(headers['content-type']).to.equal('application/json');
      expect(headers['webhook-id']).to.equal(arrivals[0]!.event.id);
      expect(Number(headers['content-length'])).to.equal(Buffer.byteLength(body));
    }
    const stamps = arrivals.map(({ headers }) => Number(headers['webhook-timestamp']));
    for (const [place, { at }] of arrivals.entries())
      expect(stamps[place]! * SECOND).to.be.within(at.getTime() - 2 * SECOND, at.getTime());
  });

  it('verifies with both secrets for a day after a rotation, pending deliveries too, then only with the new one', async () => {
    one.answers(500);
    await one.publishEvents();
    await stack.settle();
    const { json } = await (await one.signedIn()).post(
      `/webhook-endpoints/${one.endpointId}/rotate-secret`,
    );
    one.answers(200);
    await pass(67 * SECOND);
    await pass(25 * HOUR);
    await one.publishEvents();
    await stack.settle();
    const secrets = [one.secret, json.secret, other.secret];
    const known = one.server.arrivals.map((arrival) =>
      secrets.map((secret) => acceptedBy(arrival, secret, arrival.at)),
    );
    expect(known).to.deep.equal([
      [BOTH, NEITHER, NEITHER],
      [BOTH, BOTH, NEITHER],
      [NEITHER, BOTH, NEITHER],
    ]);
  });
});
