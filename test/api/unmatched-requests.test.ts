import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { expectContractHeaders, expectError } from '../support/contract.ts';
import { type RawRequest, rawRequest } from '../support/raw-http.ts';
import { writingNothing } from '../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

const charge = JSON.stringify({ amount_kobo: 10_000, email: 'ada@example.com' });
const json = { 'content-type': 'application/json' };
const tooMuch = JSON.stringify({
  amount_kobo: 10_000,
  email: 'ada@example.com',
  description: 'a'.repeat(110_000),
});

interface Case extends RawRequest {
  title: string;
  status: number;
  code: string;
  fields?: string[];
  allow?: string;
}

const post = (
  title: string,
  status: number,
  code: string,
  headers: Record<string, string>,
  body: string | Buffer,
): Case => {
  const fields = code === 'validation_failed' ? { fields: ['body'] } : {};
  return { title, method: 'POST', path: '/v1/charges', headers, body, status, code, ...fields };
};
const get = (title: string, path: string): Case => ({
  title,
  path,
  status: 404,
  code: 'not_found',
});
const wrongMethod = (method: string, path: string, allow: string): Case => {
  return {
    title: `${method} ${path}`,
    method,
    path,
    status: 405,
    code: 'method_not_allowed',
    allow,
  };
};

const cases: Case[] = [
  get('an unknown path', '/v1/nothing'),
  get('the version alone', '/v1'),
  get('the version alone with a query', '/v1/v1?a=1'),
  get('a path below an endpoint', '/v1/charges/SV-100001/nothing'),
  get('another version', '/v1/v2/charges'),
  get('an endpoint in capitals', '/v1/CHARGES'),
  get('a path with a broken percent sign', '/v1/charges/%zz'),
  get('a path with half a character in percents', '/v1/charges/%c3%28'),
  get('a path with a NUL', '/v1/charges/SV-100001%00'),
  get('a path of dots', '/v1/charges/..%2f..%2fetc%2fpasswd'),
  get('a path of 8,000 letters', `/v1/${'a'.repeat(8_000)}`),
  get('a reference of 8,000 digits', `/v1/charges/SV-${'1'.repeat(8_000)}`),

  wrongMethod('DELETE', '/v1/charges', 'GET, HEAD, POST'),
  wrongMethod('PUT', '/v1/charges', 'GET, HEAD, POST'),
  wrongMethod('OPTIONS', '/v1/charges', 'GET, HEAD, POST'),
  wrongMethod('PATCH', '/v1/charges/SV-100001', 'GET, HEAD'),
  wrongMethod('POST', '/v1/charges/SV-100001', 'GET, HEAD'),
  wrongMethod('TRACE', '/v1/charges/SV-100001/timeline', 'GET, HEAD'),

  post('JSON that breaks off', 400, 'validation_failed', json, '{"amount_kobo":10000,'),
  post('no JSON at all', 400, 'validation_failed', json, 'amount_kobo=10000'),
  post('white space', 400, 'validation_failed', json, '  \n '),
  post('JSON with a comment', 400, 'validation_failed', json, `${charge} // thanks`),
  post('two JSON objects', 400, 'validation_failed', json, `${charge}${charge}`),
  post(
    'letters that are no UTF-8',
    400,
    'validation_failed',
    json,
    Buffer.from(charge.replace('ada@', 'ad\u00e9@'), 'latin1'),
  ),
  post(
    'a JSON object that is not gzip though it says so',
    400,
    'validation_failed',
    { ...json, 'content-encoding': 'gzip' },
    charge,
  ),
  post(
    'a gzip that breaks off',
    400,
    'validation_failed',
    { ...json, 'content-encoding': 'gzip' },
    gzipSync(charge).subarray(0, 20),
  ),

  post(
    'another content type',
    415,
    'unsupported_media_type',
    { 'content-type': 'text/plain' },
    charge,
  ),
  post(
    'a form',
    415,
    'unsupported_media_type',
    { 'content-type': 'application/x-www-form-urlencoded' },
    'amount_kobo=10000',
  ),
  post('no content type', 415, 'unsupported_media_type', {}, charge),
  post(
    'a content type that is none',
    415,
    'unsupported_media_type',
    { 'content-type': 'json' },
    charge,
  ),
  post(
    'another charset',
    415,
    'unsupported_media_type',
    { 'content-type': 'application/json; charset=latin1' },
    charge,
  ),
  post(
    'an encoding we do not know',
    415,
    'unsupported_media_type',
    { ...json, 'content-encoding': 'compress' },
    charge,
  ),

  post('more than 100 kB', 413, 'payload_too_large', json, tooMuch),
  post(
    'a small gzip of more than 100 kB',
    413,
    'payload_too_large',
    { ...json, 'content-encoding': 'gzip' },
    gzipSync(tooMuch),
  ),
  post(
    'a small gzip of 100 MB',
    413,
    'payload_too_large',
    { ...json, 'content-encoding': 'gzip' },
    gzipSync(Buffer.alloc(100_000_000)),
  ),
];

describe('A request that fits no endpoint', () => {
  let stack: Stack;
  let origin: string;
  let authorization: string;
  before(async () => {
    stack = await startStack({ workers: false });
    origin = new URL(stack.baseUrl).origin;
    authorization = `Bearer ${stack.tenant.secret_key_test}`;
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));

  for (const { title, status, code, fields, allow, ...request } of cases) {
    it(`is answered ${status} ${code}: ${title}`, async () => {
      const headers = { ...request.headers, authorization };
      const answer = await writingNothing(stack, () => rawRequest(origin, { ...request, headers }));
      expectError(answer, status, code, fields);
      expectContractHeaders(answer, stack.tenant.tenant_id);
      expect(answer.headers.get('allow')).to.equal(allow ?? null);
    });
  }

  it('is answered 401 without a valid credential', async () => {
    const unknown = `Bearer svc_sk_test_${'0'.repeat(36)}`;
    await writingNothing(stack, async () => {
      for (const { title, headers = {}, ...request } of cases) {
        for (const credential of [{}, { authorization: unknown }]) {
          const sent = { ...request, headers: { ...headers, ...credential } };
          const answer = await rawRequest(origin, sent);
          expect(answer.status, title).to.equal(401);
          expectError(answer, 401, 'unauthorized');
          expectContractHeaders(answer, null);
        }
      }
    });
  });
});
