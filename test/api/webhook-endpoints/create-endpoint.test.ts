import { expect } from 'chai';
import { isId } from '../../../domain/shared/ids.ts';
import { eventTypes } from '../../../domain/webhooks/entities/event.ts';
import { auditOf } from '../../support/audit.ts';
import { expectRefusal, expectRefused } from '../../support/contract.ts';
import { publish } from '../../support/deliveries.ts';
import { newMerchant, useMerchant } from '../../support/merchant-server.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';

const url = 'https://shop.example/webhooks';

describe('POST /webhook-endpoints', () => {
  const stack = useStack({ workers: false });
  const merchant = useMerchant(stack);
  let logged: string[];
  beforeEach(() => {
    logged = [];
    Object.assign(stack.context.log, {
      write: (line: object) => logged.push(JSON.stringify(line)),
    });
  });

  const create = (body: object, idempotencyKey?: string) =>
    merchant.post('/webhook-endpoints', body, idempotencyKey);
  const list = async () => (await merchant.get('/webhook-endpoints?limit=100')).json.data;

  it('creates an enabled endpoint for charge.succeeded and refund.completed, and shows its secret once', async () => {
    const answer = await create({ url });
    expect(answer.status, answer.text).to.equal(201);
    const { id, secret, created_at: createdAt, ...rest } = answer.json;
    expect(isId('whe', id)).to.equal(true);
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).to.have.length(32);
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(rest).to.deep.equal({
      ...{
        object: 'webhook_endpoint',
        url,
        mode: 'test',
        event_types: ['charge.succeeded', 'refund.completed'],
        status: 'enabled',
      },
      ...{
        disabled_reason: null,
        disabled_at: null,
        failing_since: null,
        missed_since: null,
        pending_deliveries: 0,
      },
      secrets: [{ until: null }],
    });
    const { secret: _secret, ...shown } = answer.json;
    expect((await merchant.get(`/webhook-endpoints/${id}`)).json).to.deep.equal(shown);
    expect(await list()).to.deep.equal([shown]);
  });

  it('keeps the secret sealed, and out of the lists, the audit log and the logs', async () => {
    const { id, secret } = (await create({ url }, 'sealed')).json;
    const rows = await stack.context.db.query(
      `select to_json(e)::text from webhook_endpoints e where id = $1 union all select to_json(a)::text from audit_entries a where subject_id = $1
       union all select to_json(k)::text from idempotency_keys k where tenant_id = $2`,
      [id, merchant.tenant.tenant_id],
    );
    expect(rows).to.have.length(3);
    const shown = [
      await merchant.get('/webhook-endpoints'),
      await merchant.get(`/webhook-endpoints/${id}`),
    ].map(({ text }) => text);
    expect(logged).to.have.length.above(1);
    for (const text of [JSON.stringify(rows), ...shown, ...logged])
      expect(text).not.to.include(secret.slice('whsec_'.length, -1));
    expect(await auditOf(stack, id)).to.deep.equal([
      { actor: merchant.memberId, action: 'webhook_endpoint.created', detail: url },
    ]);
  });

  it('sends the subscribed event types and no other', async () => {
    const { id } = (await create({ url, event_types: ['charge.failed', 'settlement.landed'] }))
      .json;
    for (const type of eventTypes) await publish(merchant.of, type);
    const sent = await stack.sql`select type from deliveries d join events e on e.id = d.event_id
      where endpoint_id = ${id} order by 1`;
    expect(sent).to.deep.equal([{ type: 'charge.failed' }, { type: 'settlement.landed' }]);
  });

  it('refuses an address that webhooks may not be sent to, on creation and on a change', async () => {
    const { id } = (await create({ url })).json;
    await writingNothing(stack, async () => {
      for (const bad of ['http://store.example/', 'https://10.0.0.7:8443/', 'https://[::1]/']) {
        expectRefused(await create({ url: bad }), 'validation_failed', ['url']);
        const changed = await merchant.patch(`/webhook-endpoints/${id}`, { url: bad });
        expectRefused(changed, 'validation_failed', ['url']);
      }
    });
  });

  it('allows twenty of a tenant and mode, also of 25 simultaneous requests; disabled ones count, deleted ones do not', async () => {
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
    expect(
      (await create({ url: `${url}/${refused}` }, `k${refused}`)).status,
      'a refusal burns no key',
    ).to.equal(201);
    await expectRefusal(stack, () => create({ url }, 'more'), 'invalid_state');
  });
});
