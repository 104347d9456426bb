import { expect } from 'chai';
import { auditOf } from '../../support/audit.ts';
import { DAY, HOUR } from '../../support/clock.ts';
import { nothingHeldBack } from '../../support/feed.ts';
import { FOREIGN, GENUINE, newMerchant, verified } from '../../support/merchant-server.ts';
import { withShortTimeouts } from '../../support/short-timeouts.ts';
import { useStack } from '../../support/stack.ts';
import { answering, useWebhookFixture } from './fixture.ts';

describe('POST /webhook-endpoints/{id}/test', () => {
  const stack = useStack();
  const fixture = useWebhookFixture(stack, { event_types: ['refund.failed'] });
  const { merchant, server } = fixture;

  const test = () => merchant.post(`${fixture.path}/test`);
  const moveTo = (url: string) =>
    stack.sql`update webhook_endpoints set url = ${url} where id = ${fixture.id}`;

  it('sends a signed charge.succeeded that is marked as a test, whatever the subscribed types', async () => {
    const { status, json } = await test();
    expect([status, json.status_code, json.error]).to.deep.equal([200, 200, null]);
    const [arrival] = server.arrivals;
    expect(verified(arrival!, fixture.secret)).to.deep.equal(GENUINE);
    const other = (await merchant.post('/webhook-endpoints', { url: server.url })).json.secret;
    expect(verified(arrival!, other)).to.deep.equal(FOREIGN);
    const changed = { ...arrival!, body: arrival!.body.replace('10000', '10001') };
    expect(verified(changed, fixture.secret)).to.deep.equal(FOREIGN);
    const { id: eventId, data, ...rest } = arrival!.event as any;
    const tenant_id = merchant.tenant.tenant_id;
    expect(rest).to.deep.include({ type: 'charge.succeeded', mode: 'test', tenant_id });
    expect(data).to.deep.include({
      ...{ amount_kobo: 10_000, merchant_reference: 'test-delivery', status: 'succeeded' },
      metadata: { test_delivery: true },
    });
    expect(arrival!.headers['webhook-id']).to.equal(eventId);
  });

  it('is stored as a delivery with one try, shown in lists, and is no event', async () => {
    server.answer = answering(202, 'noted');
    const { json } = await test();
    const answer = await merchant.get(`/deliveries/${json.delivery_id}`);
    const { created_at: at, finished_at: finishedAt, tries, ...rest } = answer.json;
    expect(rest).to.deep.equal({
      ...{ object: 'delivery', id: json.delivery_id, endpoint_id: fixture.id, mode: 'test' },
      ...{ event_id: null, event_type: null, status: 'delivered', resend_of: null, body: null },
      ...{ try_count: 1, last_status_code: 202, last_error: null, next_try_at: null },
    });
    expect(finishedAt > at).to.equal(true);
    const answered = { status_code: 202, error: null, answer: 'noted', headers: null };
    expect(tries).to.deep.equal([{ try: 1, at, duration_ms: json.duration_ms, ...answered }]);
    for (const query of ['', `endpoint=${fixture.id}`, 'status=delivered']) {
      const { data } = (await merchant.get(`/deliveries?${query}`)).json;
      expect(
        data.map(({ id }: any) => id),
        query,
      ).to.deep.equal([json.delivery_id]);
    }
    await nothingHeldBack(stack);
    const events = await stack.api.get('/events', { key: merchant.tenant.secret_key_test });
    expect(events.json.data).to.deep.equal([]);
    const entry = { action: 'webhook_endpoint.tested', detail: 'HTTP 202' };
    expect((await auditOf(stack, fixture.id)).at(-1)).to.include(entry);
  });

  it('shows how it was answered if it fails, is not retried, and does not affect the endpoint', async () => {
    for (const status of [199 + 102, 404, 410, 429, 500, 503]) {
      server.answer = answering(status, 'no', { 'retry-after': '1', location: server.url });
      const { json } = await test();
      expect(json).to.include({ status_code: status, error: null });
      expect((await merchant.get(`/deliveries/${json.delivery_id}`)).json).to.include({
        ...{ status: 'exhausted', try_count: 1, last_status_code: status, next_try_at: null },
      });
    }
    expect(server.arrivals, 'no redirect is followed').to.have.length(6);
    for (const ms of [HOUR, DAY]) await stack.pass(ms);
    expect(server.arrivals).to.have.length(6);
    const again = await newMerchant(stack, 'test', merchant.tenant);
    expect((await again.get(fixture.path)).json).to.include({
      ...{ status: 'enabled', failing_since: null, missed_since: null, pending_deliveries: 0 },
    });
  });

  it('does not block others: the service answers while thirty wait for a server that hangs', async () => {
    server.answer = () => {};
    await withShortTimeouts(stack, ['deliveryMs'], async () => {
      const tests = Array.from({ length: 30 }, test);
      expect((await merchant.get('/webhook-endpoints')).status).to.equal(200);
      for (const { json } of await Promise.all(tests))
        expect(json.error).to.equal('no answer within 0.3 s');
    });
    expect((await fixture.deliveries()).map(({ status }) => status)).to.deep.equal(
      Array(30).fill('exhausted'),
    );
  });

  it('names in plain words why the server was not reached', async () => {
    const cases: [url: string, error: RegExp][] = [
      ['http://127.0.0.1:9/hook', /^the connection was refused$/],
      ['https://no-such-host.invalid/', /^the host name (does not resolve|could not be resolved)/],
      ['https://localhost/', /public internet/],
      ['https://169.254.169.254/', /public internet/],
    ];
    for (const [url, error] of cases) {
      await moveTo(url);
      const { json } = await test();
      expect(json.status_code).to.equal(null);
      expect(json.error, url).to.match(error);
      const { tries } = (await merchant.get(`/deliveries/${json.delivery_id}`)).json;
      expect(tries[0]).to.include({ error: json.error, answer: null });
    }
  });

  it('is signed with the current secrets, also for a disabled endpoint', async () => {
    await merchant.patch(fixture.path, { status: 'disabled' });
    expect((await test()).json.status_code).to.equal(200);
    expect(verified(server.arrivals[0]!, fixture.secret)).to.deep.equal(GENUINE);
  });

  it('is stored also when the endpoint is deleted meanwhile', async () => {
    server.answer = (response) =>
      void merchant.remove(fixture.path).then(() => response.writeHead(200).end());
    const { status, json } = await test();
    expect([status, json.status_code]).to.deep.equal([200, 200]);
    const delivery = await merchant.get(`/deliveries/${json.delivery_id}`);
    expect(delivery.json.status).to.equal('delivered');
  });
});
