import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { NIL_TENANT_ID } from '../../domain/shared/ids.ts';
import { expectContractHeaders, expectError, expectRefused } from '../support/contract.ts';
import { type RawRequest, rawRequest } from '../support/raw-http.ts';
import { writingNothing } from '../support/row-counts.ts';
import { useStack } from '../support/stack.ts';

const charge = JSON.stringify({ amount_kobo: 10_000, email: 'ada@example.com' });
const json = { 'content-type': 'application/json' };

const tooMuch = JSON.stringify({ ...JSON.parse(charge), description: 'a'.repeat(110_000) });

interface Case extends RawRequest {
  title: string;
  status: number;
  code: string;
  fields?: string[];
  allow?: string;
}

const charges = { method: 'POST', path: '/v1/charges' };
type Headers = Record<string, string>;

const unknown = (title: string, path: string): Case => {
  return { title, path, status: 404, code: 'not_found' };
};
const wrongMethod = (method: string, path: string, allow: string): Case => {
  const refusal = { status: 405, code: 'method_not_allowed', allow };
  return { title: `${method} ${path}`, method, path, ...refusal };
};
const malformed = (title: string, body: string | Buffer, headers: Headers = json): Case => {
  const refusal = { status: 400, code: 'validation_failed', fields: ['body'] };
  return { ...charges, title, headers, body, ...refusal };
};
const unsupported = (title: string, headers: Headers, body = charge): Case => {
  return { ...charges, title, headers, body, status: 415, code: 'unsupported_media_type' };
};
const tooLarge = (title: string, body: string | Buffer, headers: Headers = json): Case => {
  return { ...charges, title, headers, body, status: 413, code: 'payload_too_large' };
};

const packed = { ...json, 'content-encoding': 'gzip' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const cases: Case[] = [
  unknown('an unknown path', '/v1/nothing'),
  unknown('the version alone', '/v1'),
  unknown('the version alone with a query', '/v1/v1?a=1'),
  unknown('a path below an endpoint', '/v1/charges/SV-100001/nothing'),
  unknown('another version', '/v1/v2/charges'),
  unknown('an endpoint in capitals', '/v1/CHARGES'),
  unknown('a path with a broken percent sign', '/v1/charges/%zz'),
  unknown('a path with half a character in percents', '/v1/charges/%c3%28'),
  unknown('a path with a NUL', '/v1/charges/SV-100001%00'),
  unknown('a path of dots', '/v1/charges/..%2f..%2fetc%2fpasswd'),
  unknown('a path of 8,000 letters', `/v1/${'a'.repeat(8_000)}`),
  unknown('a reference of 8,000 digits', `/v1/charges/SV-${'1'.repeat(8_000)}`),

  wrongMethod('DELETE', '/v1/charges', 'GET, HEAD, POST'),
  wrongMethod('PUT', '/v1/charges', 'GET, HEAD, POST'),
  wrongMethod('OPTIONS', '/v1/charges', 'GET, HEAD, POST'),
  wrongMethod('PATCH', '/v1/charges/SV-100001', 'GET, HEAD'),
  wrongMethod('POST', '/v1/charges/SV-100001', 'GET, HEAD'),
  wrongMethod('TRACE', '/v1/charges/SV-100001/timeline', 'GET, HEAD'),

  malformed('no JSON at all', 'amount_kobo=10000'),
  malformed('white space', '  \n '),
  malformed('JSON with a comment', `${charge} // thanks`),
  malformed('two JSON objects', `${charge}${charge}`),
  malformed(
    'letters that are no UTF-8',
    Buffer.from(charge.replace('ada@', 'ad\u00e9@'), 'latin1'),
  ),
  malformed('a JSON object that is not gzip though it says so', charge, packed),
  malformed('a gzip that breaks off', gzipSync(charge).subarray(0, 20), packed),

  unsupported('a form', form, 'amount_kobo=10000'),
  unsupported('no content type', {}),
  unsupported('a content type that is none', { 'content-type': 'json' }),
  unsupported('another charset', { 'content-type': 'application/json; charset=latin1' }),
  unsupported('an encoding we do not know', { ...json, 'content-encoding': 'compress' }),

  tooLarge('a small gzip of more than 100 kB', gzipSync(tooMuch), packed),
  tooLarge('a small gzip of 20 MB', gzipSync(Buffer.alloc(20_000_000)), packed),
];

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
      const sent = { ...charges, headers: { ...headers, authorization }, body };
      const answer = await rawRequest(stack, sent);
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
    const unknown = await rawRequest(stack, { ...request, method: 'HEAD', headers: {} });
    expect(unknown.status).to.equal(401);
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

  it('answers paths outside it with 404, in the shape of every other refusal', async () => {
    const outside = ['/', '/V1/charges', '/charges', '/%zz', '/notifications', '/notifications/'];
    for (const path of outside) {
      const answer = await rawRequest(stack, { path });
      expectRefused(answer, 'not_found');
      expectContractHeaders(answer, null);
    }
  });

  it('has an icon for browsers that ask beside a page, which they may keep for a day', async () => {
    const { status, headers, text } = await rawRequest(stack, { path: '/favicon.ico' });
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('image/svg+xml');
    expect(headers.get('cache-control')).to.equal('public, max-age=86400');
    expect(text).to.match(/^<svg /);
  });

  it('has the request and tenant headers in every answer of the service', async () => {
    const paths = ['/healthz', '/readyz', '/pay/ct_x', '/pay/ct_x/status', '/pay/assets/pay.css'];
    for (const path of [...paths, '/ops/queues', '/notifications/con_x', '/x']) {
      const method = path.startsWith('/notifications') ? 'POST' : 'GET';
      const { headers } = await rawRequest(stack, { method, path });
      expect(headers.get('request-id'), path).to.match(/^req_/);
      expect(headers.get('x-service-tenant'), path).to.equal(NIL_TENANT_ID);
      expect(headers.get('x-content-type-options'), path).to.equal('nosniff');
      expect(headers.get('x-powered-by'), path).to.equal(null);
    }
  });

  for (const { title, status, code, fields, allow, ...request } of cases) {
    it(`answers ${status} ${code}: ${title}`, async () => {
      const headers = { ...request.headers, authorization };
      const answer = await writingNothing(stack, () => rawRequest(stack, { ...request, headers }));
      expectError(answer, status, code, fields);
      expectContractHeaders(answer, stack.tenant.tenant_id);
      expect(answer.headers.get('allow')).to.equal(allow ?? null);
    });
  }

  it('says without a credential which methods an address has that takes none', async () => {
    for (const [method, path, allow] of [
      ['GET', '/v1/auth/token', 'POST'],
      ['PATCH', '/v1/auth/refresh', 'POST'],
      ['DELETE', '/v1/openapi.json', 'GET, HEAD'],
    ] as const) {
      const answer = await rawRequest(stack, { method, path });
      expectError(answer, 405, 'method_not_allowed');
      expectContractHeaders(answer, null);
      expect(answer.headers.get('allow'), path).to.equal(allow);
    }
  });

  it('answers 401 to all of these without a valid credential', async () => {
    const nobody = `Bearer svc_sk_test_${'0'.repeat(36)}`;
    await writingNothing(stack, async () => {
      for (const { title, headers = {}, ...request } of cases) {
        for (const credential of [{}, { authorization: nobody }]) {
          const sent = { ...request, headers: { ...headers, ...credential } };
          const answer = await rawRequest(stack, sent);
          expect(answer.status, title).to.equal(401);
          expectRefused(answer, 'unauthorized');
          expectContractHeaders(answer, null);
        }
      }
    });
  });
});
