import { expect } from 'chai';
import { isId } from '../../../domain/shared/ids.ts';
import type { Sql } from '../../../domain/shared/sql.ts';
import { eventTypes } from '../../../domain/webhooks/entities/event.ts';
import { auditOf } from '../../support/audit.ts';
import { whileHeld } from '../../support/contention.ts';
import { expectRefusal, expectRefused } from '../../support/contract.ts';
import { addDelivery, publish } from '../../support/deliveries.ts';
import { newMerchant, useMerchant } from '../../support/merchant-server.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';

const url = 'https://shop.example/webhooks';

describe('Webhook endpoints', () => {
  const stack = useStack({ workers: false });
  const merchant = useMerchant(stack);

  const create = (body: object = { url }, idempotencyKey?: string) =>
    merchant.post('/webhook-endpoints', body, idempotencyKey);
  const list = async () => (await merchant.get('/webhook-endpoints?limit=100')).json.data;
  const row = async (id: string) =>
    (await stack.sql`select * from webhook_endpoints where id = ${id}`)[0];

  it('are created enabled for charge.succeeded and refund.completed, and show their secret once', async () => {
    const answer = await create();
    expect(answer.status, answer.text).to.equal(201);
    const { id, secret, created_at: createdAt, ...rest } = answer.json;
    expect(isId('whe', id)).to.equal(true);
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(rest).to.deep.equal({
      ...{ object: 'webhook_endpoint', url, mode: 'test', status: 'enabled' },
      event_types: ['charge.succeeded', 'refund.completed'],
      ...{ disabled_reason: null, disabled_at: null, failing_since: null, missed_since: null },
      ...{ pending_deliveries: 0, secrets: [{ until: null }] },
    });
    const { secret: _secret, ...shown } = answer.json;
    expect((await merchant.get(`/webhook-endpoints/${id}`)).json).to.deep.equal(shown);
    expect(await list()).to.deep.equal([shown]);
  });

  it('keep the secret sealed, and out of the lists, the audit log and the logs', async () => {
    const logged: string[] = [];
    const write = (line: object) => logged.push(JSON.stringify(line));
    Object.assign(stack.context.log, { write });
    const { id, secret } = (await create({ url }, 'sealed')).json;
    const rows = [
      await row(id),
      ...(await stack.sql`select * from idempotency_keys where key = 'sealed'`),
    ];
    expect(rows).to.have.length(2);
    const entry = { actor: merchant.memberId, action: 'webhook_endpoint.created', detail: url };
    expect(await auditOf(stack, id)).to.deep.equal([entry]);
    const shown = [
      await merchant.get('/webhook-endpoints'),
      await merchant.get(`/webhook-endpoints/${id}`),
    ];
    expect(logged).to.have.length.above(1);
    for (const text of [JSON.stringify(rows), ...shown.map((answer) => answer.text), ...logged])
      expect(text).not.to.include(secret.slice('whsec_'.length, -1));
  });

  it('get the subscribed event types and no other', async () => {
    const { id } = (await create({ url, event_types: ['charge.failed', 'settlement.landed'] }))
      .json;
    for (const type of eventTypes) await publish(merchant.of, type);
    const sent = await stack.sql`select type from deliveries d join events e on e.id = d.event_id
      where endpoint_id = ${id} order by 1`;
    expect(sent).to.deep.equal([{ type: 'charge.failed' }, { type: 'settlement.landed' }]);
  });

  it('are refused an address that webhooks may not be sent to, on creation and on a change', async () => {
    const { id } = (await create()).json;
    await writingNothing(stack, async () => {
      for (const bad of ['http://store.example/', 'https://10.0.0.7:8443/', 'https://[::1]/']) {
        const changed = await merchant.patch(`/webhook-endpoints/${id}`, { url: bad });
        for (const refused of [await create({ url: bad }), changed])
          expectRefused(refused, 'validation_failed', ['url']);
      }
    });
  });

  it('are twenty of a tenant and mode, also of 25 simultaneous requests; disabled ones count, deleted ones do not', async () => {
    const live = await newMerchant(stack, 'live', merchant.tenant);
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, at) => create({ url: `${url}/${at}` }, `k${at}`)),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).to.have.length(20);
    const refused = answers.findIndex(({ status }) => status !== 201);
    expectRefused(answers[refused]!, 'invalid_state');
    expect(await list()).to.have.length(20);
    expect((await live.post('/webhook-endpoints', { url })).status, 'the other mode').to.equal(201);
    await merchant.patch(`/webhook-endpoints/${made[0]!.json.id}`, { status: 'disabled' });
    await expectRefusal(stack, () => create({ url }, 'more'), 'invalid_state');
    await merchant.remove(`/webhook-endpoints/${made[1]!.json.id}`);
    const again = await create({ url: `${url}/${refused}` }, `k${refused}`);
    expect(again.status, 'a refusal burns no key').to.equal(201);
    await expectRefusal(stack, () => create({ url }, 'more'), 'invalid_state');
  });

  describe('that are', () => {
    let id: string;
    let path: string;
    beforeEach(async () => {
      id = (await create()).json.id;
      path = `/webhook-endpoints/${id}`;
    });
    const change = (body: object) => merchant.patch(path, body);
    const deliveries = async () => (await merchant.get('/deliveries?limit=100')).json.data;
    const statuses = async () =>
      (await deliveries()).map(({ status }: { status: string }) => status);
    const hold = (sql: Sql) =>
      sql.query('select from webhook_endpoints where id = $1 for update', [id]);
    const entriesOf = async () =>
      (await auditOf(stack, id)).map((entry) => `${entry.action} ${entry.detail}`);

    it('changed have the URL and event types from the next event on, and no failures', async () => {
      await stack.sql`update webhook_endpoints set failing_since = now() where id = ${id}`;
      const types = { event_types: ['charge.failed'] };
      expect((await change(types)).json.failing_since).to.be.a('string');
      const moved = { url: `${url}/2`, ...types, status: 'enabled', failing_since: null };
      expect((await change({ url: `${url}/2` })).json).to.deep.include(moved);
      await publish(merchant.of);
      expect(await deliveries()).to.deep.equal([]);
      const eventId = await publish(merchant.of, 'charge.failed');
      expect((await deliveries()).map(({ event_id }: any) => event_id)).to.deep.equal([eventId]);
      expect((await entriesOf()).slice(1)).to.deep.equal([
        'webhook_endpoint.changed event_types: charge.failed',
        `webhook_endpoint.changed url: ${url}/2`,
      ]);
    });

    it('disabled have their pending deliveries cancelled, and get no more', async () => {
      for (let made = 0; made < 3; made++) await publish(merchant.of);
      expect((await list())[0].pending_deliveries).to.equal(3);
      const { json } = await change({ status: 'disabled' });
      const disabled = { status: 'disabled', disabled_reason: 'by_hand', pending_deliveries: 0 };
      expect(json).to.include(disabled);
      for (const delivery of await deliveries())
        expect(delivery).to.include({
          status: 'cancelled',
          next_try_at: null,
          finished_at: json.disabled_at,
        });
      await publish(merchant.of);
      expect(await deliveries()).to.have.length(3);
      const again = await writingNothing(stack, () => change({ status: 'disabled' }));
      expect(again.json).to.deep.equal(json);
    });

    it('enabled again get new events, and show since when they missed some', async () => {
      await addDelivery(merchant.of, { endpointId: id, status: 'delivered' });
      const [first] = [await publish(merchant.of), await publish(merchant.of)];
      await change({ status: 'disabled' });
      await publish(merchant.of);
      const { json } = await change({ status: 'enabled' });
      expect(json).to.include({ status: 'enabled', disabled_at: null, disabled_reason: null });
      const [event] = await stack.sql`select created_at from events where id = ${first}`;
      expect(Date.parse(json.missed_since)).to.be.at.most(event.created_at.getTime());
      await publish(merchant.of);
      expect(await statuses()).to.deep.equal(['pending', 'cancelled', 'cancelled', 'delivered']);
    });

    it('changed at once keep every change', async () => {
      const changed = { url: `${url}/x`, event_types: ['charge.failed'], status: 'disabled' };
      await whileHeld(stack, hold, () =>
        Object.entries(changed).map(([field, value]) => change({ [field]: value })),
      );
      expect((await merchant.get(path)).json).to.deep.include(changed);
    });

    it('deleted have their pending deliveries cancelled, past ones readable, and no secrets', async () => {
      const sent = await addDelivery(merchant.of, { endpointId: id, status: 'delivered' });
      await publish(merchant.of);
      await merchant.post(`${path}/rotate-secret`);
      const answer = await merchant.remove(path);
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.json).to.include({ id, url, status: 'disabled', pending_deliveries: 0 });
      expect(answer.json.disabled_at).to.be.a('string');
      expect(answer.json.secrets, 'no older one').to.deep.equal([{ until: null }]);
      expect(await statuses()).to.deep.equal(['cancelled', 'delivered']);
      expect((await merchant.get(`/deliveries/${sent}`)).json.endpoint_id).to.equal(id);
      expect((await merchant.get(`/deliveries?endpoint=${id}`)).json.data).to.have.length(2);
      expect(await row(id)).to.deep.include({ secret: '', old_secrets: [], status: 'disabled' });
      expect((await entriesOf()).at(-1)).to.equal(`webhook_endpoint.deleted ${url}`);
    });

    it('deleted answer 404 to every other request', async () => {
      await merchant.remove(path);
      expect(await list()).to.deep.equal([]);
      for (const attempt of [
        () => merchant.get(path),
        () => change({ status: 'enabled' }),
        () => merchant.remove(path),
        () => merchant.post(`${path}/rotate-secret`),
        () => merchant.post(`${path}/test`),
        () => merchant.post(`${path}/resend`, { since: stack.clock().toISOString() }),
      ])
        await expectRefusal(stack, attempt, 'not_found');
      await publish(merchant.of);
      expect(await deliveries()).to.deep.equal([]);
    });

    it('deleted eight times at once are so once; enabling them meanwhile does not restore them', async () => {
      const answers = await whileHeld(stack, hold, () => [
        ...Array.from({ length: 8 }, () => merchant.remove(path)),
        change({ status: 'enabled' }),
      ]);
      expect(answers.slice(0, 8).filter(({ status }) => status === 200)).to.have.length(1);
      expect(await row(id)).to.include({ secret: '', status: 'disabled' });
      const deleted = (await entriesOf()).filter((entry) => entry.includes('.deleted'));
      expect(deleted).to.have.length(1);
    });
  });
});
