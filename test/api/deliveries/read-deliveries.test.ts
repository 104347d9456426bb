import { expect } from 'chai';
import { runHousekeeping } from '../../../workers/housekeeping.ts';
import { DAY } from '../../support/clock.ts';
import { addDelivery, addEndpoint, publish } from '../../support/deliveries.ts';
import { newMerchant, useMerchant } from '../../support/merchant-server.ts';
import { useStack } from '../../support/stack.ts';

describe('GET /deliveries', () => {
  const stack = useStack({ workers: false });
  const merchant = useMerchant(stack);
  const addTries = async (deliveryId: string, statusCodes: (number | null)[]) => {
    const tries = statusCodes.map((code, at) => ({ code, at: stack.clock(), try: at + 1 }));
    await stack.sql`update deliveries set tries = ${tries.length} where id = ${deliveryId}`;
    for (const { code, at, try: number } of tries) {
      const [error, answer] = code ? [null, 'no'] : ['the connection was refused', null];
      await stack.sql`insert into delivery_tries
          (delivery_id, endpoint_id, try, at, duration_ms, status_code, error, answer)
        values (${deliveryId}, 'whe', ${number}, ${at}, 12, ${code}, ${error}, ${answer})`;
    }
  };

  it('shows each with its event and the result of its last try, newest first', async () => {
    const endpointId = await addEndpoint(merchant.of);
    const eventId = await publish(merchant.of);
    const given = await addDelivery(merchant.of, { endpointId });
    await addTries(given, [500, null]);
    const answer = await merchant.get('/deliveries');
    expect(Object.keys(answer.json)).to.deep.equal(['data', 'tenant_id']);
    const [tried, waiting] = answer.json.data;
    const { id, created_at, next_try_at, ...rest } = waiting;
    expect(id).to.match(/^dlv_/);
    expect(next_try_at).to.equal(created_at);
    expect(rest).to.deep.equal({
      ...{ object: 'delivery', endpoint_id: endpointId, event_id: eventId, mode: 'test' },
      ...{ event_type: 'charge.succeeded', status: 'pending', resend_of: null, try_count: 0 },
      ...{ last_status_code: null, last_error: null, finished_at: null },
    });
    expect(tried).to.deep.include({
      ...{ id: given, event_type: 'charge.failed', status: 'exhausted', try_count: 2 },
      ...{ last_status_code: null, last_error: 'the connection was refused', next_try_at: null },
    });
  });

  describe('/{id}', () => {
    it('shows every try, the oldest first', async () => {
      const id = await addDelivery(merchant.of);
      await addTries(id, [500, null, 503]);
      const { tries, body, ...rest } = (await merchant.get(`/deliveries/${id}`)).json;
      expect([rest]).to.deep.equal((await merchant.get('/deliveries')).json.data);
      const refused = { error: null, answer: 'no', duration_ms: 12 };
      const silent = { error: 'the connection was refused', answer: null, duration_ms: 12 };
      expect(JSON.parse(body)).to.include({ id: rest.event_id, type: rest.event_type });
      expect(tries.map(({ at, headers, ...made }: any) => made)).to.deep.equal([
        { try: 1, status_code: 500, ...refused },
        { try: 2, status_code: null, ...silent },
        { try: 3, status_code: 503, ...refused },
      ]);
      expect(tries.map(({ at }: any) => at)).to.deep.equal(tries.map(({ at }: any) => at).sort());
    });

    it('still shows how often it was tried after the tries are deleted', async () => {
      const id = await addDelivery(merchant.of);
      await addTries(id, [500, 500, 500]);
      stack.clock.advance(31 * DAY);
      await runHousekeeping(stack.context);
      Object.assign(merchant, await newMerchant(stack, 'test', merchant.tenant));
      const { tries, try_count, status } = (await merchant.get(`/deliveries/${id}`)).json;
      expect([tries, try_count, status]).to.deep.equal([[], 3, 'exhausted']);
    });
  });
});
