import { expect } from 'chai';
import { routes } from '../../api/routes.ts';
import { NIL_TENANT_ID } from '../../domain/shared/ids.ts';
import { expectContractHeaders, expectRefused } from '../support/contract.ts';
import { rawRequest } from '../support/raw-http.ts';
import { writingNothing } from '../support/row-counts.ts';
import { generousLimits, startStack, useStack } from '../support/stack.ts';

const origin = 'https://shop.example';
const preflight = {
  origin,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};
const body = JSON.stringify({ amount_kobo: 10_000, email: 'ada@example.com' });
const exposed =
  'Request-Id,Retry-After,Idempotent-Replayed,X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset';

describe('Cross-origin requests', () => {
  const stack = useStack({ workers: false });

  const corsHeaders = (headers: Headers) =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
  const post = (headers: Record<string, string>, sent: string = body) =>
    rawRequest(stack, {
      method: 'POST',
      path: '/v1/charges',
      headers: { 'content-type': 'application/json', ...headers },
      body: sent,
    });
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  it('may ask, without a credential, what POST /charges accepts', async () => {
    for (const path of ['/v1/charges', '/v1/v1/charges', '/v1/charges/', '/v1/charges?a=1']) {
      for (const from of [origin, 'http://localhost:3000', 'null']) {
        const headers = { ...preflight, origin: from };
        const answer = await writingNothing(stack, () =>
          rawRequest(stack, { method: 'OPTIONS', path, headers }),
        );
        expect([answer.status, answer.text], path).to.deep.equal([204, '']);
        expect(corsHeaders(answer.headers)).to.deep.equal({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers':
            'Authorization,Content-Type,Idempotency-Key,Test-Scenario',
          'access-control-expose-headers': exposed,
          'access-control-max-age': '7200',
        });
        expect(answer.headers.get('request-id')).to.match(/^req_/);
        expect(answer.headers.get('x-service-tenant')).to.equal(NIL_TENANT_ID);
        expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
        expect(answer.headers.get('x-powered-by')).to.equal(null);
      }
    }
  });

  const asPage =
    (key: string, more: Record<string, string> = {}, sent?: string) =>
    () =>
      post({ origin, ...bearer(key), ...more }, sent);
  it('may read every answer of POST /charges, also refusals', async () => {
    const {
      public_key_test: key,
      public_key_live: liveKey,
      secret_key_test: secret,
    } = stack.tenant;
    const answers: [title: string, status: number, send: () => ReturnType<typeof post>][] = [
      ['a charge', 201, asPage(key)],
      ['a charge asked for by no page', 201, () => post(bearer(secret))],
      ['a body that does not fit', 422, asPage(key, {}, '{}')],
      ['a body that is no JSON', 400, asPage(key, {}, '{')],
      ['another content type', 415, asPage(key, { 'content-type': 'text/plain' })],
      ['too large a body', 413, asPage(key, {}, JSON.stringify('a'.repeat(110_000)))],
      ['no credential', 401, () => post({ origin })],
      ['a credential nobody has', 401, asPage(`svc_pk_test_${'0'.repeat(36)}`)],
      ['no provider', 422, asPage(liveKey)],
    ];
    for (const [title, status, send] of answers) {
      const answer = await send();
      expect(answer.status, title).to.equal(status);
      expect(corsHeaders(answer.headers), title).to.deep.equal({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': exposed,
      });
    }
  });

  it('may read that they exceeded the rate limit', async () => {
    const rateLimits = { ...generousLimits, publicKey: { points: 1, windowMs: 60_000 } };
    await using strict = await startStack({ workers: false, env: { rateLimits } });
    const { public_key_test: key, tenant_id: tenantId } = strict.tenant;
    const headers = { 'content-type': 'application/json', origin, ...bearer(key) };
    const send = () => rawRequest(strict, { method: 'POST', path: '/v1/charges', headers, body });
    expect((await send()).status).to.equal(201);
    const answer = await send();
    expectRefused(answer, 'rate_limited');
    expectContractHeaders(answer, tenantId);
    for (const name of exposed.split(',').filter((name) => name !== 'Idempotent-Replayed'))
      expect(answer.headers.get(name), name).to.be.a('string');
    expect(corsHeaders(answer.headers)).to.deep.equal({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': exposed,
    });
  });

  it('may read no other endpoint', async () => {
    const { reference } = (await stack.api.post('/charges', JSON.parse(body))).json;
    for (const { method, path } of [
      ...routes.map((route) => ({
        method: route.method.toUpperCase(),
        path: route.path.replace(/:\w+/, reference),
      })),
      { method: 'GET', path: '/nothing' },
      { method: 'PUT', path: '/charges' },
    ]) {
      if (`${method} ${path}` === 'POST /charges') continue;
      for (const key of [stack.tenant.secret_key_test, stack.tenant.public_key_test]) {
        const headers = { origin, ...bearer(key) };
        expect(
          corsHeaders((await rawRequest(stack, { method, path: `/v1${path}`, headers })).headers),
          `${method} ${path}`,
        ).to.deep.equal({});
      }
      if (path === '/charges') continue;
      const asked = await rawRequest(stack, {
        method: 'OPTIONS',
        path: `/v1${path}`,
        headers: preflight,
      });
      expect(asked.status, path).to.be.within(400, 499);
      expect(corsHeaders(asked.headers), path).to.deep.equal({});
    }
  });

  it('are no preflight without its headers: OPTIONS is 405, and 401 without a credential', async () => {
    const asked = { 'access-control-request-method': 'POST' };
    for (const headers of [{}, { origin }, asked] as Record<string, string>[]) {
      const options = { method: 'OPTIONS', path: '/v1/charges' };
      const known = await rawRequest(stack, {
        ...options,
        headers: { ...headers, ...bearer(stack.tenant.secret_key_test) },
      });
      expectRefused(known, 'method_not_allowed');
      expectContractHeaders(known, stack.tenant.tenant_id);
      expect(known.headers.get('allow')).to.equal('GET, HEAD, POST');
      const unknown = await rawRequest(stack, { ...options, headers });
      expectRefused(unknown, 'unauthorized');
      for (const answer of [known, unknown]) expect(corsHeaders(answer.headers)).to.deep.equal({});
    }
  });

  it('are not allowed over plain http elsewhere, so that no key is sent there', async () => {
    const answer = await rawRequest(stack, {
      method: 'OPTIONS',
      path: '/v1/charges',
      headers: { ...preflight, host: 'api.example' },
    });
    expectRefused(answer, 'https_required');
    expect(corsHeaders(answer.headers)).to.deep.equal({});
  });
});
