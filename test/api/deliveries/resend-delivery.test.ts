import { expect } from 'chai';
import { auditOf } from '../../support/audit.ts';
import { whileHeld } from '../../support/contention.ts';
import { expectError } from '../../support/contract.ts';
import { addDelivery, publish } from '../../support/deliveries.ts';
import {
  GENUINE,
  type Merchant,
  type MerchantServer,
  newMerchant,
  startMerchantServer,
  verified,
} from '../../support/merchant-server.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';

describe('POST /deliveries/{id}/resend', () => {
  let stack: Stack;
  let merchant: Merchant;
  let server: MerchantServer;
  let endpointId: string;
  let secret: string;
  before(async () => {
    stack = await startStack();
  });
  after(() => stack[Symbol.asyncDispose]());
  beforeEach(async () => {
    merchant = await newMerchant(stack);
    server = await startMerchantServer(stack.clock);
    ({ id: endpointId, secret } = (
      await merchant.post('/webhook-endpoints', { url: server.url })
    ).json);
  });
  afterEach(async () => {
    await expectNoLeaks(stack);
    await server[Symbol.asyncDispose]();
  });

  const resend = (id: string, idempotencyKey?: string) =>
    merchant.post(`/deliveries/${id}/resend`, undefined, idempotencyKey);
  const read = async (id: string) => (await merchant.get(`/deliveries/${id}`)).json;
  const sent = async () => {
    await publish(merchant.of);
    await stack.settle();
    return (await merchant.get('/deliveries')).json.data[0];
  };
  const answering = (status: number) => {
    server.answer = (response) => void response.writeHead(status).end();
  };

  it('sends a delivered event again, under a new delivery and with the same bytes', async () => {
    const first = await sent();
    const answer = await resend(first.id);
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.json).to.include({
      status: 'pending',
      resend_of: first.id,
      event_id: first.event_id,
      endpoint_id: endpointId,
      try_count: 0,
    });
    await stack.settle();
    expect(await read(answer.json.id)).to.include({ status: 'delivered', try_count: 1 });
    expect(await read(first.id)).to.include(first);
    const [one, other] = server.arrivals;
    expect(other!.body).to.equal(one!.body);
    expect(other!.headers['webhook-id']).to.equal(one!.headers['webhook-id']);
    expect(verified(other!, secret)).to.deep.equal(GENUINE);
    expect(await auditOf(stack, first.id)).to.deep.equal([
      { actor: merchant.memberId, action: 'delivery.resent', detail: answer.json.id },
    ]);
  });

  it('sends an exhausted or cancelled one again, with the whole schedule', async () => {
    answering(500);
    for (const status of ['exhausted', 'cancelled'] as const) {
      const old = await addDelivery(merchant.of, { endpointId, status });
      const { id } = (await resend(old)).json;
      await stack.settle();
      const { tries, ...again } = await read(id);
      expect(again).to.include({ status: 'pending', try_count: 1, last_status_code: 500 });
      expect(tries).to.have.length(1);
      expect((await read(old)).status).to.equal(status);
    }
  });

  it('replaces a pending one, which is cancelled', async () => {
    answering(500);
    const waiting = await sent();
    expect(waiting.status).to.equal('pending');
    answering(200);
    const { id } = (await resend(waiting.id)).json;
    expect(await read(waiting.id)).to.include({ status: 'cancelled', next_try_at: null });
    stack.clock.advance(3_600_000);
    await stack.settle();
    expect(server.arrivals).to.have.length(2);
    expect((await read(id)).status).to.equal('delivered');
  });

  it('sends once for eight simultaneous requests under one Idempotency-Key', async () => {
    answering(500);
    const waiting = await sent();
    answering(200);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => resend(waiting.id, 'at once')),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    await stack.settle();
    expect(server.arrivals).to.have.length(2);
  });

  it('sends nothing to an endpoint that is being disabled or deleted', async () => {
    for (const end of [
      () => merchant.patch(`/webhook-endpoints/${endpointId}`, { status: 'disabled' }),
      () => merchant.remove(`/webhook-endpoints/${endpointId}`),
    ]) {
      await merchant.patch(`/webhook-endpoints/${endpointId}`, { status: 'enabled' });
      const id = await addDelivery(merchant.of, { endpointId });
      await Promise.all([end(), resend(id), resend(id), resend(id)]);
      const arrived = server.arrivals.length;
      await stack.settle();
      expect(server.arrivals.length, 'what was on its way before').to.be.within(
        arrived,
        arrived + 3,
      );
      expect(
        (await merchant.get(`/deliveries?endpoint=${endpointId}&status=pending`)).json.data,
      ).to.deep.equal([]);
      expectError(await resend(id), 409, 'invalid_state');
    }
  });

  it('neither waits for a change of its endpoint nor delays it', async () => {
    const id = await addDelivery(merchant.of, { endpointId });
    const hold = (sql: any) => sql.query('select from deliveries where id = $1 for update', [id]);
    const answers = await whileHeld(stack, hold, () => [resend(id), resend(id)]);
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 201]);
    await stack.settle();
  });

  it('is refused for a test delivery, and for a disabled or deleted endpoint', async () => {
    const test = (await merchant.post(`/webhook-endpoints/${endpointId}/test`)).json.delivery_id;
    const refused = await writingNothing(stack, () => resend(test, 'refused'));
    expectError(refused, 409, 'invalid_state');
    expect(refused.text).to.include('test');
    const delivered = await addDelivery(merchant.of, { endpointId, status: 'delivered' });
    await merchant.patch(`/webhook-endpoints/${endpointId}`, { status: 'disabled' });
    for (const id of [test, delivered])
      expectError(await writingNothing(stack, () => resend(id, 'refused')), 409, 'invalid_state');
    await merchant.patch(`/webhook-endpoints/${endpointId}`, { status: 'enabled' });
    expect((await resend(delivered, 'refused')).status, 'a refusal burns no key').to.equal(201);
    await stack.settle();
    await merchant.remove(`/webhook-endpoints/${endpointId}`);
    const gone = await writingNothing(stack, () => resend(delivered, 'gone'));
    expectError(gone, 409, 'invalid_state');
    expect(gone.text).to.include('deleted');
  });
});
