import { expect } from 'chai';
import { createApiServer } from '../../api/server.ts';
import type { Env } from '../../config/env.ts';
import { listen } from '../../config/listen.ts';
import { expectContractHeaders, expectRefusal, expectRefused } from '../support/contract.ts';
import { rawRequest } from '../support/raw-http.ts';
import { useStack } from '../support/stack.ts';

const body = JSON.stringify({ amount_kobo: 10_000, email: 'ada@example.com' });

describe('Plain HTTP', () => {
  const stack = useStack({ workers: false });
  let servers: AsyncDisposableStack;
  beforeEach(() => {
    servers = new AsyncDisposableStack();
  });
  afterEach(() => servers.disposeAsync());

  async function open(env: Partial<Env> = {}) {
    const context = { ...stack.context, env: { ...stack.context.env, ...env } };
    const { port } = servers.use(await listen(createApiServer(context), 0, '127.0.0.1'));
    const authorization = `Bearer ${stack.tenant.secret_key_test}`;
    return (headers: Record<string, string>) => {
      const sent = { 'content-type': 'application/json', authorization, ...headers };
      const request = { method: 'POST', path: '/v1/charges', headers: sent, body };
      return rawRequest(`http://127.0.0.1:${port}`, request);
    };
  }

  const isHttps = { 'x-forwarded-proto': 'https' };
  const hosts: [title: string, env: Partial<Env>, right: string[], wrong: string[]][] = [
    [
      'localhost, below .localhost and 127.0.0.1, on any port, and on no other host',
      {},
      [
        ...['localhost', 'localhost:4000', 'LOCALHOST', 'api.localhost', 'a.b.localhost:1'],
        ...['127.0.0.1', '127.0.0.1:80'],
      ],
      [
        ...['pay.example', 'localhost.example', 'localhost.', '127.0.0.2', '127.0.0.1.example'],
        ...['10.0.0.1', '[::1]', 'notlocalhost'],
      ],
    ],
    [
      'hosts the operator lists',
      { allowedHttpHosts: ['api.internal'] },
      ['api.internal', 'API.internal:8080'],
      ['other.internal'],
    ],
  ];
  for (const [title, env, right, wrong] of hosts)
    it(`is accepted on ${title}`, async () => {
      const create = await open(env);
      for (const host of right) expect((await create({ host })).status, host).to.equal(201);
      for (const host of wrong) {
        const refused = await expectRefusal(stack, () => create({ host }), 'https_required');
        expectContractHeaders(refused, null);
      }
    });

  for (const trustProxy of [null, 'loopback', '10.0.0.0/8, loopback', '1', '10.0.0.0/8'])
    it(`is https where a proxy says so that TRUST_PROXY=${trustProxy} names, and nobody else`, async () => {
      const create = await open({ trustProxy });
      const isTrusted = trustProxy !== null && trustProxy !== '10.0.0.0/8';
      const answer = await create({ host: 'pay.example', ...isHttps });
      if (isTrusted) expect(answer.status).to.equal(201);
      else expectRefused(answer, 'https_required');
      const other: object[] = [{}, { 'x-forwarded-proto': 'http' }, { forwarded: 'proto=https' }];
      if (!isTrusted) other.push({ 'x-forwarded-host': 'localhost' });
      for (const headers of other)
        expectRefused(await create({ host: 'pay.example', ...headers }), 'https_required');
    });

  it('needs addresses in TRUST_PROXY: the service does not start with anything else', async () => {
    const refused = await open({ trustProxy: 'my-proxy' }).catch((error: Error) => error);
    expect(refused).to.be.an('error').with.property('message').that.includes('my-proxy');
  });

  it('is accepted for /healthz, /readyz and /metrics', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const { status } = await rawRequest(stack, { path, headers: { host: 'pay.example' } });
      expect(status).to.equal(200);
    }
  });

  it('is refused for pages, notifications, the board and the API reference too', async () => {
    for (const [method, path] of [
      ['GET', '/pay/ct_01h455vb4pex5vsknk084sn02q'],
      ['POST', '/notifications/con_01h455vb4pex5vsknk084sn02q'],
      ['GET', '/ops/queues'],
      ['GET', '/docs'],
    ] as const) {
      const refused = await rawRequest(stack, { method, path, headers: { host: 'pay.example' } });
      expect(refused.status, path).to.equal(403);
    }
  });

  it('never shows in addresses of answers: they come from PUBLIC_URL, not from Host', async () => {
    const create = await open({ allowedHttpHosts: ['evil.example'] });
    const { json } = await create({ host: 'evil.example' });
    expect(json.checkout_url).to.equal(`${stack.context.env.publicUrl}/pay/${json.id}`);
  });
});

describe('BASE_PATH', () => {
  const stack = useStack({ workers: false, env: { basePath: '/collect/money' } });
  before(async () => {
    stack.context.env.publicUrl = `${stack.origin}/collect/money`;
  });

  it('is the prefix of everything: API, pages, notifications, board, health', async () => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${stack.tenant.secret_key_test}`,
    };
    for (const path of ['/collect/money/v1/charges', '/collect/money/v1/v1/charges']) {
      const created = await rawRequest(stack, { method: 'POST', path, headers, body });
      expect(created.status).to.equal(201);
      const page = await rawRequest(stack, { path: new URL(created.json.checkout_url).pathname });
      expect(page.status).to.equal(200);
      const assets = [...page.text.matchAll(/(?:href|src)="([^"]+\.(?:css|js))"/g)].map(
        ([, asset]) => asset!,
      );
      expect(assets).to.have.length(2);
      for (const asset of assets)
        expect((await rawRequest(stack, { path: asset })).status, asset).to.equal(200);
    }
    for (const [method, below, status] of [
      ['GET', '/healthz', 200],
      ['GET', '/ops/queues', 401],
      ['POST', '/notifications/con_x', 401],
    ] as const) {
      const answer = await rawRequest(stack, { method, path: `/collect/money${below}` });
      expect(answer.status, below).to.equal(status);
    }
  });

  it('is in every link of the API reference, and in its examples', async () => {
    const { status, text } = await rawRequest(stack, { path: '/collect/money/docs' });
    expect(status).to.equal(200);
    for (const [, href] of text.matchAll(/(?:href|src)="([^"#]+)/g)) {
      const linked = await rawRequest(stack, { path: new URL(href!, stack.origin).pathname });
      expect(linked.status, href).to.equal(200);
    }
    expect(text).to.include(`${stack.origin}/collect/money/v1/charges`);
  });

  it('leaves nothing outside it', async () => {
    const outside = ['/', '/v1/charges', '/healthz', '/collect', '/collect/moneybag/v1/charges'];
    for (const path of [...outside, '/%zz']) {
      const answer = await rawRequest(stack, { path });
      expectRefused(answer, 'not_found');
      expectContractHeaders(answer, null);
    }
  });
});
