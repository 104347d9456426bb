import { expect } from 'chai';
import { isId } from '../../../domain/shared/ids.ts';
import { eventTypes } from '../../../domain/webhooks/event/publish.ts';
import { auditOf } from '../../support/audit.ts';
import { expectContractHeaders, expectError } from '../../support/contract.ts';
import { publish } from '../../support/deliveries.ts';
import { memberOf } from '../../support/members.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { runTwice } from '../../support/run-twice.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';
import { type Merchant, newMerchant } from './given.ts';

const url = 'https://shop.example/webhooks';

describe('POST /webhook-endpoints', () => {
  let stack: Stack;
  let merchant: Merchant;
  let logged: string[];
  before(async () => {
    stack = await startStack({ workers: false });
  });
  after(() => stack[Symbol.asyncDispose]());
  beforeEach(async () => {
    merchant = await newMerchant(stack);
    logged = [];
    Object.assign(stack.context.log, {
      write: (line: object) => logged.push(JSON.stringify(line)),
    });
  });
  afterEach(() => expectNoLeaks(stack));

  const create = (body: object, idempotencyKey?: string) =>
    merchant.post('/webhook-endpoints', body, idempotencyKey);
  const list = async () => (await merchant.get('/webhook-endpoints?limit=100')).json.data;

  it('makes an enabled endpoint for what most want to know, and shows its secret this once', async () => {
    const answer = await create({ url });
    expect(answer.status, answer.text).to.equal(201);
    expectContractHeaders(answer, merchant.tenant.tenant_id);
    const { id, secret, created_at: createdAt, ...rest } = answer.json;
    expect(isId('whe', id)).to.equal(true);
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).to.have.length(32);
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(new Date(createdAt).toISOString()).to.equal(createdAt);
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

  it('tells it of the types it asks for and of no other', async () => {
    const { id } = (await create({ url, event_types: ['charge.failed', 'settlement.landed'] }))
      .json;
    for (const type of eventTypes) await publish(merchant.of, type);
    const told = await stack.context.db.query(
      `select type from deliveries d join events e on e.id = d.event_id where endpoint_id = $1 order by 1`,
      [id],
    );
    expect(told).to.deep.equal([{ type: 'charge.failed' }, { type: 'settlement.landed' }]);
  });

  it('takes any address on the public internet, also by number, and with a query of its own', async () => {
    for (const good of [
      'https://1.1.1.1/',
      'https://[2606:4700:4700::1111]:8443/x',
      `${url}?token=a%20b`,
      'https://bücher.example/ö',
    ]) {
      expect((await create({ url: good })).json.url).to.equal(good);
    }
  });

  const badUrls = {
    'an http address': 'http://shop.example/webhooks',
    localhost: 'https://localhost/webhooks',
    'localhost with a dot behind': 'https://LOCALHOST./webhooks',
    'localhost, escaped': 'https://%6cocalhost/webhooks',
    'a name below localhost': 'https://shop.localhost/webhooks',
    'a loopback number': 'https://127.0.0.2/',
    'a loopback number in decimal': 'https://2130706434/',
    'a loopback number in octal': 'https://0177.0.0.2/',
    'a loopback number in hex, cut short': 'https://0x7f.2/',
    'a loopback number in wide digits': 'https://①②⑦.0.0.2/',
    'no address at all': 'https://0.0.0.0/',
    'a private number': 'https://192.168.1.1/',
    'a number of the shop’s own network': 'https://10.0.0.7:8443/',
    'the cloud’s metadata': 'https://169.254.169.254/latest/meta-data/',
    'IPv6 loopback': 'https://[::1]/',
    'IPv4 in IPv6': 'https://[::ffff:10.0.0.1]/',
    'metadata in IPv6': 'https://[fd00:ec2::254]/',
    'IPv4 in a tunnel': 'https://[2002:7f00:1::]/',
    'a link-local IPv6 number': 'https://[fe80::1]/',
    'credentials in it': 'https://user:password@shop.example/',
    'a user name alone': 'https://user@shop.example/',
    'another scheme': 'ftp://shop.example/',
    'a script': 'javascript:alert(1)',
    'a file': 'file:///etc/passwd',
    'no scheme': 'shop.example/webhooks',
    'a port there is not': 'https://shop.example:99999/',
    'no host': 'https://',
    nothing: '',
    'a line break': 'https://shop.example/\nx',
    'a NUL': 'https://shop.example/\0',
    'too many characters': `https://shop.example/${'a'.repeat(2_048)}`,
  };
  for (const [title, bad] of Object.entries(badUrls)) {
    it(`refuses an address that is ${title}, by name, here and when it is changed`, async () => {
      const { id } = (await create({ url })).json;
      expectError(
        await writingNothing(stack, () => create({ url: bad }, 'bad')),
        422,
        'validation_failed',
        ['url'],
      );
      const changed = await writingNothing(stack, () =>
        merchant.patch(`/webhook-endpoints/${id}`, { url: bad }),
      );
      expectError(changed, 422, 'validation_failed', ['url']);
    });
  }

  const bad: [title: string, body: object, fields: string[]][] = [
    ['no address', {}, ['url']],
    ['an address that is none', { url: 7 }, ['url']],
    ['null for an address', { url: null }, ['url']],
    ['no event types', { url, event_types: [] }, ['event_types']],
    ['null for event types', { url, event_types: null }, ['event_types']],
    [
      'an event type there is not',
      { url, event_types: ['charge.succeeded', 'charge.*'] },
      ['event_types.1'],
    ],
    [
      'an event type twice',
      { url, event_types: ['charge.failed', 'charge.failed'] },
      ['event_types'],
    ],
    [
      'a mode, a status and a secret of its own',
      { url, mode: 'live', status: 'disabled', secret: 'x' },
      ['mode', 'status', 'secret'],
    ],
  ];
  for (const [title, body, fields] of bad) {
    it(`refuses ${title}, by name`, async () => {
      expectError(
        await writingNothing(stack, () => create(body, 'bad')),
        422,
        'validation_failed',
        fields,
      );
    });
  }

  it('is for Owners and developers', async () => {
    const viewer = await memberOf(stack, merchant.tenant, 'viewer');
    for (const key of [
      viewer.token,
      merchant.tenant.secret_key_test,
      merchant.tenant.public_key_test,
    ]) {
      expectError(
        await writingNothing(stack, () => stack.api.post('/webhook-endpoints', { url }, { key })),
        403,
        'forbidden',
      );
    }
    const owner = await memberOf(stack, merchant.tenant, 'owner');
    expect(
      (await stack.api.post('/webhook-endpoints', { url }, { key: owner.token })).status,
    ).to.equal(201);
  });

  it('replays its answer, secret and all, and keeps it sealed', async () => {
    const [first, second] = await runTwice(stack, () => create({ url }, 'twice'));
    expect([first.status, second.headers.get('idempotent-replayed')]).to.deep.equal([201, 'true']);
    expectError(
      await writingNothing(stack, () => create({ url: `${url}/2` }, 'twice')),
      409,
      'idempotency_conflict',
    );
  });

  it('keeps to twenty of a tenant in a mode, also of 25 made at once; what was deleted leaves room, what is disabled does not', async () => {
    const live = await newMerchant(stack, 'live', merchant.tenant);
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, at) => create({ url: `${url}/${at}` }, `k${at}`)),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).to.have.length(20);
    const refused = answers.findIndex(({ status }) => status !== 201);
    expectError(answers[refused]!, 409, 'invalid_state');
    expect(await list()).to.have.length(20);

    expect((await live.post('/webhook-endpoints', { url })).status, 'the other mode').to.equal(201);
    await merchant.patch(`/webhook-endpoints/${made[0]!.json.id}`, { status: 'disabled' });
    expectError(await writingNothing(stack, () => create({ url }, 'more')), 409, 'invalid_state');
    await merchant.remove(`/webhook-endpoints/${made[1]!.json.id}`);
    expect(
      (await create({ url: `${url}/${refused}` }, `k${refused}`)).status,
      'a refusal burns no key',
    ).to.equal(201);
    expectError(await writingNothing(stack, () => create({ url }, 'more')), 409, 'invalid_state');
  });
});
