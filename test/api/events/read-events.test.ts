import { expect } from 'chai';
import { newId } from '../../../domain/shared/ids.ts';
import { openCharge } from '../../support/charges.ts';
import { expectRefused } from '../../support/contract.ts';
import { nothingHeldBack } from '../../support/feed.ts';
import { useStack } from '../../support/stack.ts';
import { addEvent as writeEvent } from './given.ts';

describe('GET /events', () => {
  const stack = useStack({ newTenants: true });
  beforeEach(() => {
    stack.receiver.received.length = 0;
  });

  const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
  async function addEvent(options?: { mode: 'live' }): Promise<string> {
    const id = await writeEvent(stack, options);
    await nothingHeldBack(stack);
    return id;
  }

  it('answers what the webhook delivered, unchanged', async () => {
    const charge = await openCharge(stack, { metadata: { b: 1, a: 'x', 10: 'ten', 9: 'nine' } });
    await stack.control.pay(charge.reference);
    await stack.settle();
    await nothingHeldBack(stack);
    const answer = await stack.api.get('/events');
    expect(answer.status).to.equal(200);
    expect(Object.keys(answer.json)).to.deep.equal(['data', 'next_cursor', 'tenant_id']);
    expect(answer.json.data).to.have.length(1);
    expect(answer.json.data[0]).to.include({
      type: 'charge.succeeded',
      mode: 'test',
      tenant_id: stack.tenant.tenant_id,
    });
    const [delivered] = stack.receiver.received;
    expect(answer.text).to.include(delivered!.body);
  });

  it('starts with the oldest, and continues from an empty page with later ones', async () => {
    const empty = (await stack.api.get('/events')).json;
    expect(empty.data).to.deep.equal([]);
    expect(empty.next_cursor).to.be.a('string').that.matches(/./);
    const ids = [await addEvent(), await addEvent(), await addEvent()];
    const first = (await stack.api.get(`/events?after=${empty.next_cursor}&limit=2`)).json;
    expect(idsOf(first)).to.deep.equal(ids.slice(0, 2));
    const second = (await stack.api.get(`/events?after=${first.next_cursor}&limit=2`)).json;
    expect(idsOf(second)).to.deep.equal(ids.slice(2));
    const { next_cursor } = second;
    const nothing = (await stack.api.get(`/events?after=${next_cursor}`)).json;
    const { tenant_id } = stack.tenant;
    expect(nothing).to.deep.equal({ data: [], next_cursor, tenant_id });
    const fourth = await addEvent();
    const third = (await stack.api.get(`/events?after=${next_cursor}`)).json;
    expect(idsOf(third)).to.deep.equal([fourth]);
  });

  it('continues after an event by its id, and refuses one of the other mode', async () => {
    const [first, second] = [await addEvent(), await addEvent()];
    expect(idsOf((await stack.api.get(`/events?after=${first}`)).json)).to.deep.equal([second]);
    for (const unknown of [await addEvent({ mode: 'live' }), newId('evt', stack.clock())]) {
      const refused = await stack.api.get(`/events?after=${unknown}`);
      expectRefused(refused, 'validation_failed', ['after']);
    }
  });

  it('begins now, where asked to, and continues from there', async () => {
    await addEvent();
    const { data, next_cursor } = (await stack.api.get('/events?after=now')).json;
    expect(data).to.deep.equal([]);
    const id = await addEvent();
    expect(idsOf((await stack.api.get(`/events?after=${next_cursor}`)).json)).to.deep.equal([id]);
  });

  it('accepts next_cursor as cursor too, as every list does, but not both', async () => {
    await addEvent();
    const second = await addEvent();
    const { next_cursor } = (await stack.api.get('/events?limit=1')).json;
    const answer = await stack.api.get(`/events?cursor=${next_cursor}`);
    expect(idsOf(answer.json)).to.deep.equal([second]);
    const both = await stack.api.get(`/events?cursor=${next_cursor}&after=${next_cursor}`);
    expectRefused(both, 'validation_failed', ['cursor']);
  });
});
