import { expect } from 'chai';
import { HOUR, SECOND } from '../../support/clock.ts';
import { publish } from '../../support/deliveries.ts';
import { FOREIGN, GENUINE, verified } from '../../support/merchant-server.ts';
import { useStack } from '../../support/stack.ts';
import { useListener } from './fixture.ts';

const changedAt = (body: string, place: number) =>
  body.slice(0, place) + String.fromCharCode(body.charCodeAt(place) ^ 1) + body.slice(place + 1);

describe('Every webhook', () => {
  const stack = useStack();
  const one = useListener(stack);
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
