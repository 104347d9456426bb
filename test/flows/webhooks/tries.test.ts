import { expect } from 'chai';
import { DAY, HOUR, MINUTE, SECOND } from '../../support/clock.ts';
import { publish } from '../../support/deliveries.ts';
import { FOREIGN, GENUINE, verified } from '../../support/merchant-server.ts';
import { useStack } from '../../support/stack.ts';
import { useListener } from './fixture.ts';

const WAITS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];
/** The test clock moves each time it is read: at most so much between a try and its record. */
const LOOKUPS_MS = 200;

const changedAt = (body: string, place: number) =>
  body.slice(0, place) + String.fromCharCode(body.charCodeAt(place) ^ 1) + body.slice(place + 1);

describe('A webhook', () => {
  const stack = useStack();
  const listener = useListener(stack);

  describe('of every kind', () => {
    const one = listener;
    const other = useListener(stack, one);

    const everyKind = async () => {
      one.answers(500);
      await publish(one.merchant.of, 'charge.succeeded', {
        name: 'Adé ₦ 😀 "\\u0000',
        amount_kobo: 150_000,
      });
      await stack.settle();
      one.answers(200);
      await stack.pass(67 * SECOND);
      const { post } = await one.signedIn();
      await post(`/deliveries/${(await one.delivery()).id}/resend`);
      await stack.settle();
      await stack.pass(HOUR);
      expect((await post(`${one.path}/test`)).json.status_code).to.equal(200);
      expect(one.server.arrivals).to.have.length(4);
      return one.server.arrivals;
    };

    it("verifies with its endpoint's secret and no other, and with no byte changed: first try, retry, resend and test", async () => {
      for (const arrival of await everyKind()) {
        const { body } = arrival;
        expect(verified(arrival, one.secret)).to.deep.equal(GENUINE);
        expect(verified(arrival, other.secret), 'another endpoint’s').to.deep.equal(FOREIGN);
        for (let place = 0; place < body.length; place += 7) {
          const changed = { ...arrival, body: changedAt(body, place) };
          expect(verified(changed, one.secret), `byte ${place}`).to.deep.equal(FOREIGN);
        }
        expect(verified({ ...arrival, body: `${body}\n` }, one.secret)).to.deep.equal(FOREIGN);
      }
      const [elsewhere] = other.server.arrivals;
      expect(verified(elsewhere!, other.secret)).to.deep.equal(GENUINE);
      expect(verified(elsewhere!, one.secret)).to.deep.equal(FOREIGN);
    });

    it('carries the bytes stored with the event, whatever changes later', async () => {
      const arrivals = (await everyKind()).slice(0, 3);
      const [event] = await stack.sql<{ body: string }>`select body from events
        where id = ${arrivals[0]!.event.id}`;
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
  });

  describe('that fails', () => {
    const chance = (random: number) => {
      stack.context.random = () => random;
    };
    const arrivals = () => listener.server.arrivals;
    const nextTryAt = async () => Date.parse((await listener.delivery()).next_try_at);
    /** Advances the clock to the next try; returns the wait by the merchant's own clock. */
    const nextTry = async () => {
      const seen = arrivals().length;
      const due = await nextTryAt();
      await stack.pass(due - stack.clock().getTime() - 2 * SECOND);
      expect(arrivals(), 'not before its wait is over').to.have.length(seen);
      await stack.pass(2 * SECOND);
      expect(arrivals(), 'as soon as its wait is over').to.have.length(seen + 1);
      return arrivals()[seen]!.at.getTime() - arrivals()[seen - 1]!.at.getTime();
    };

    // By how much it may be longer: test/domain/webhooks/delivery/schedule.test.ts.
    it('waits as scheduled before each try, and a little longer by jitter; nothing follows the last try', async () => {
      chance(0.5);
      listener.answers(500);
      const [event] = await listener.publishEvents();
      await stack.settle();
      for (const wait of WAITS)
        expect(await nextTry()).to.be.within(wait * 1.05, wait * 1.05 + LOOKUPS_MS + 2 * SECOND);
      await stack.pass(30 * DAY);
      expect(listener.arrived()).to.deep.equal(Array(7).fill(event));
      expect(arrivals().at(-1)!.at.getTime() - arrivals()[0]!.at.getTime()).to.be.at.most(DAY);
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
      expect(
        lost.tries.map((made: any) => [made.try, made.status_code, made.answer]),
      ).to.deep.equal(Array.from({ length: 7 }, (_, place) => [place + 1, 503, 'noted']));
      for (const [place, { at }] of lost.tries.entries()) {
        expect(Date.parse(at)).to.be.within(
          arrivals()[place]!.at.getTime() - LOOKUPS_MS,
          arrivals()[place]!.at.getTime(),
        );
      }

      await stack.pass(3 * DAY);
      const { post } = await listener.signedIn();
      listener.answers(500);
      const { status, json: again } = await post(`/deliveries/${lost.id}/resend`);
      expect([status, again.resend_of, again.status]).to.deep.equal([201, lost.id, 'pending']);
      await stack.settle();
      listener.answers(200);
      await stack.pass(67 * SECOND);
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

    it('loses no try to workers that are killed before they send', async () => {
      listener.answers(500);
      await stack.sql`alter table deliveries alter column tries set default 6`;
      await listener.publishEvents();
      await stack.sql`alter table deliveries alter column tries set default 0`;
      await stack.settle();
      expect(await listener.delivery()).to.include({ status: 'pending', try_count: 1 });
      await stack.pass(67 * SECOND);
      expect(arrivals()).to.have.length(2);
    });

    it('uses up no try while its secret cannot be decrypted; it is sent once the key is back', async () => {
      const { endpointId: id } = listener;
      await stack.sql`update webhook_endpoints set secret = 'lost.' || secret where id = ${id}`;
      await listener.publishEvents();
      await stack.settle();
      expect(await listener.delivery()).to.deep.include({ status: 'pending', tries: [] });
      await stack.sql`update webhook_endpoints set secret = substr(secret, 6) where id = ${id}`;
      await stack.pass(MINUTE);
      expect(await listener.delivery()).to.include({ status: 'delivered', try_count: 1 });
    });
  });
});
