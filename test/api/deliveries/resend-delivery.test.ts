import { expect } from 'chai';
import { auditOf } from '../../support/audit.ts';
import { whileHeld } from '../../support/contention.ts';
import { expectRefusal, expectRefused } from '../../support/contract.ts';
import { addDelivery, publish } from '../../support/deliveries.ts';
import { GENUINE, verified } from '../../support/merchant-server.ts';
import { useStack } from '../../support/stack.ts';
import { answering, useWebhookFixture } from '../webhook-endpoints/fixture.ts';

describe('POST /deliveries/{id}/resend', () => {
  const stack = useStack();
  const fixture = useWebhookFixture(stack);
  const { merchant, server } = fixture;

  const resend = (id: string, idempotencyKey?: string) =>
    merchant.post(`/deliveries/${id}/resend`, undefined, idempotencyKey);
  const read = async (id: string) => (await merchant.get(`/deliveries/${id}`)).json;
  const sent = async () => {
    await publish(merchant.of);
    await stack.settle();
    return (await merchant.get('/deliveries')).json.data[0];
  };

  it('sends a delivered event again, under a new delivery and with the same bytes', async () => {
    const first = await sent();
    const answer = await resend(first.id);
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.json).to.include({
      ...{ status: 'pending', resend_of: first.id, event_id: first.event_id, try_count: 0 },
      endpoint_id: fixture.id,
    });
    await stack.settle();
    expect(await read(answer.json.id)).to.include({ status: 'delivered', try_count: 1 });
    expect(await read(first.id)).to.include(first);
    const [one, other] = server.arrivals;
    expect(other!.body).to.equal(one!.body);
    expect(other!.headers['webhook-id']).to.equal(one!.headers['webhook-id']);
    expect(verified(other!, fixture.secret)).to.deep.equal(GENUINE);
    expect(await auditOf(stack, first.id)).to.deep.equal([
      { actor: merchant.memberId, action: 'delivery.resent', detail: answer.json.id },
    ]);
  });

  it('sends an exhausted or cancelled one again, with the whole schedule', async () => {
    server.answer = answering(500);
    for (const status of ['exhausted', 'cancelled'] as const) {
      const old = await addDelivery(merchant.of, { endpointId: fixture.id, status });
      const { id } = (await resend(old)).json;
      await stack.settle();
      const { tries, ...again } = await read(id);
      expect(again).to.include({ status: 'pending', try_count: 1, last_status_code: 500 });
      expect(tries).to.have.length(1);
      expect((await read(old)).status).to.equal(status);
    }
  });

  it('replaces a pending one, which is cancelled', async () => {
    server.answer = answering(500);
    const waiting = await sent();
    expect(waiting.status).to.equal('pending');
    server.answer = answering(200);
    const { id } = (await resend(waiting.id)).json;
    expect(await read(waiting.id)).to.include({ status: 'cancelled', next_try_at: null });
    await stack.pass(3_600_000);
    expect(server.arrivals).to.have.length(2);
    expect((await read(id)).status).to.equal('delivered');
  });

  it('sends nothing to an endpoint that is being disabled or deleted', async () => {
    for (const end of [
      () => merchant.patch(fixture.path, { status: 'disabled' }),
      () => merchant.remove(fixture.path),
    ]) {
      await merchant.patch(fixture.path, { status: 'enabled' });
      const id = await addDelivery(merchant.of, { endpointId: fixture.id });
      await Promise.all([end(), resend(id), resend(id), resend(id)]);
      const arrived = server.arrivals.length;
      await stack.settle();
      const late = server.arrivals.length - arrived;
      expect(late, 'what was on its way before').to.be.within(0, 3);
      expect(
        (await fixture.deliveries()).filter(({ status }) => status === 'pending'),
      ).to.deep.equal([]);
      expectRefused(await resend(id), 'invalid_state');
    }
  });

  it('neither waits for a change of its endpoint nor delays it', async () => {
    const id = await addDelivery(merchant.of, { endpointId: fixture.id });
    const hold = (sql: any) => sql.query('select from deliveries where id = $1 for update', [id]);
    const answers = await whileHeld(stack, hold, () => [resend(id), resend(id)]);
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 201]);
    await stack.settle();
  });

  it('is refused for a test delivery, and for a disabled or deleted endpoint', async () => {
    const test = (await merchant.post(`${fixture.path}/test`)).json.delivery_id;
    const refused = await expectRefusal(stack, () => resend(test, 'refused'), 'invalid_state');
    expect(refused.text).to.include('test');
    const delivered = await addDelivery(merchant.of, {
      endpointId: fixture.id,
      status: 'delivered',
    });
    await merchant.patch(fixture.path, { status: 'disabled' });
    for (const id of [test, delivered])
      await expectRefusal(stack, () => resend(id, 'refused'), 'invalid_state');
    await merchant.patch(fixture.path, { status: 'enabled' });
    expect((await resend(delivered, 'refused')).status, 'a refusal burns no key').to.equal(201);
    await stack.settle();
    await merchant.remove(fixture.path);
    const gone = await expectRefusal(stack, () => resend(delivered, 'gone'), 'invalid_state');
    expect(gone.text).to.include('deleted');
  });
});
