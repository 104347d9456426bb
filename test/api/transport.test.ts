import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { NIL_TENANT_ID } from '../../domain/shared/ids.ts';
import { expectContractHeaders, expectError, expectRefused } from '../support/contract.ts';
import { rawRequest } from '../support/raw-http.ts';
import { useStack } from '../support/stack.ts';

const charge = JSON.stringify({ amount_kobo: 10_000, email: 'ada@example.com' });
const json = { 'content-type': 'application/json' };

describe('The API', () => {
  const stack = useStack({ workers: false });
  let authorization: string;
  before(async () => {
    authorization = `Bearer ${stack.tenant.secret_key_test}`;
  });

  for (const [title, headers, body] of [
    ['with a charset', { 'content-type': 'application/json; charset=utf-8' }, charge],
    ['with a byte order mark', json, `\ufeff${charge}`],
    ['with white space around it', json, `\n ${charge}\n`],
    ['packed with gzip', { ...json, 'content-encoding': 'gzip' }, gzipSync(charge)],
    ['in capitals', { 'content-type': 'APPLICATION/JSON' }, charge],
  ] as [string, Record<string, string>, string | Buffer][]) {
    it(`accepts a JSON body ${title}`, async () => {
      const answer = await rawRequest(stack, {
        method: 'POST',
        path: '/v1/charges',
        headers: { ...headers, authorization },
        body,
      });
      expect(answer.status, answer.text).to.equal(201);
    });
  }

  it('answers HEAD with the headers of GET and no body', async () => {
    const { reference } = (await stack.api.post('/charges', JSON.parse(charge))).json;
    const request = { path: `/v1/charges/${reference}`, headers: { authorization } };
    const [full, head] = [
      await rawRequest(stack, request),
      await rawRequest(stack, { ...request, method: 'HEAD' }),
    ];
    expect([head.status, head.text]).to.deep.equal([200, '']);
    expect(head.headers.get('content-length')).to.equal(full.headers.get('content-length'));
    expect((await rawRequest(stack, { ...request, method: 'HEAD', headers: {} })).status).to.equal(
      401,
    );
  });

  it('reads /v1/v1/… as /v1/…, repeated any number of times, and an absolute URL as its path', async () => {
    for (const path of [
      '/v1/v1/charges',
      '/v1/v1/v1/charges?',
      '/v1/charges/',
      `${stack.origin}/v1/charges`,
      `${stack.origin}/v1/v1/charges?`,
    ]) {
      const request = { method: 'POST', path, headers: { ...json, authorization }, body: charge };
      expect((await rawRequest(stack, request)).status, path).to.equal(201);
    }
  });

  it('answers a request line that is too long with 431, in the shape of every other refusal', async () => {
    for (const path of [
      `/v1/${'a'.repeat(20_000)}`,
      `/v1/charges?merchant_reference=${'a'.repeat(20_000)}`,
    ]) {
      const answer = await rawRequest(stack, { path, headers: { authorization } });
      expectError(answer, 431, 'payload_too_large');
      expectContractHeaders(answer, null);
    }
  });

  it('answers malformed HTTP with 400, in the shape of every other refusal', async () => {
    const socket = connect(Number(new URL(stack.origin).port), '127.0.0.1');
    socket.end('GET /v1/charges\r\nHost\r\n\r\n');
    const [head, body] = (await text(socket)).split('\r\n\r\n');
    expect(head)
      .to.match(/^HTTP\/1\.1 400 Bad Request\r\n/)
      .and.match(/^Request-Id: req_/m);
    expect(JSON.parse(body!).error.code).to.equal('validation_failed');
  });

  it('answers paths outside it with 404, in the shape of every other refusal', async () => {
    for (const path of [
      '/',
      '/V1/charges',
      '/charges',
      '/%zz',
      '/notifications',
      '/notifications/',
    ]) {
      const answer = await rawRequest(stack, { path });
      expectRefused(answer, 'not_found');
      expectContractHeaders(answer, null);
    }
  });

  it('has an icon for browsers that ask beside a page, which they may keep for a day', async () => {
    const { status, headers, text: icon } = await rawRequest(stack, { path: '/favicon.ico' });
    expect([status, headers.get('content-type'), headers.get('cache-control')]).to.deep.equal([
      200,
      'image/svg+xml',
      'public, max-age=86400',
    ]);
    expect(icon).to.match(/^<svg /);
  });

  it('has the request and tenant headers in every answer of the service', async () => {
    const paths = [
      '/healthz',
      '/readyz',
      '/pay/ct_x',
      '/pay/ct_x/status',
      '/pay/assets/pay.css',
      '/ops/queues',
      '/notifications/con_x',
      '/x',
    ];
    for (const path of paths) {
      const { headers } = await rawRequest(stack, {
        method: path.startsWith('/notifications') ? 'POST' : 'GET',
        path,
      });
      expect(headers.get('request-id'), path).to.match(/^req_/);
      expect(headers.get('x-service-tenant'), path).to.equal(NIL_TENANT_ID);
      expect(headers.get('x-content-type-options'), path).to.equal('nosniff');
      expect(headers.get('x-powered-by'), path).to.equal(null);
    }
  });
});
