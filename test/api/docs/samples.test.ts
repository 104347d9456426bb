import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { languages, samplesOf } from '../../../api/docs/samples.ts';
import { idempotencyKey } from '../../../api/openapi/headers.ts';
import { listen } from '../../../config/listen.ts';
import { unescaped } from '../../support/html.ts';
import { openApi } from '../../support/openapi.ts';
import { isRunnable, type Language, runProgram } from '../../support/programs.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { useStack } from '../../support/stack.ts';

function sampleOn(html: string, language: string): string {
  return unescaped(
    new RegExp(`<figure class="sample in-${language}">[^]*?<code>([^<]*)</code>`).exec(html)![1]!,
  );
}

describe('The examples of the API reference', () => {
  const stack = useStack({ workers: false });

  for (const { language, title } of languages) {
    it(`create one charge in ${title}, however often they run`, async function () {
      if (!isRunnable(language as Language)) this.skip();
      const tenant = await stack.newTenant();
      const code = sampleOn((await rawRequest(stack, { path: '/docs' })).text, language);
      const run = () =>
        runProgram(language as Language, code, { SVC_SECRET_KEY: tenant.secret_key_test });
      const [first, second] = [await run(), await run()];
      const charges = await stack.sql<Record<string, unknown>>`select * from charges
        where tenant_id = ${tenant.tenant_id}`;
      expect(charges, first).to.have.length(1);
      expect(charges[0]).to.deep.include({
        ...{ amount_kobo: 250_000, email: 'ada@example.com', merchant_reference: 'order-1042' },
        metadata: { order_id: 1042 },
      });
      for (const printed of [first, second]) expect(printed).to.include(`SV-${charges[0]!.number}`);
    });

    it(`show the message of a refusal in ${title}`, async function () {
      if (!isRunnable(language as Language)) this.skip();
      const url = `${stack.baseUrl}/charges/SV-100001`;
      const { code } = samplesOf({ method: 'GET', url, credential: 'SVC_SECRET_KEY' }).find(
        (sample) => sample.language === language,
      )!;
      const env = { SVC_SECRET_KEY: 'svc_sk_test_revoked' };
      const printed = await runProgram(language as Language, code, env);
      expect(printed)
        .to.include('unauthorized')
        .and.include('was revoked')
        .and.not.include('Traceback');
    });
  }

  it('can run after those of the README: no Idempotency-Key has two bodies', async () => {
    const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
    const [, key, body] = /Idempotency-Key: ([^']+)'.*?-d '(\{[^']+\})'/s.exec(readme)!;
    const { example } = openApi.paths['/charges']!.post!.requestBody!.content['application/json']!;
    const [documented] = idempotencyKey.schema.examples as string[];
    for (const [sent, idempotencyKey] of [
      [JSON.parse(body!), key!],
      [example, documented!],
    ])
      expect((await stack.api.post('/charges', sent, { idempotencyKey })).status).to.equal(201);
  });
});

const hostile = {
  quotes: `it's "quoted" \`$HOME\` $(id) \${1 + 1} #{x} %s`,
  escapes: 'back\\slash \\n \\u0041 \\',
  lines: 'one\ntwo\r\nthree\ttab',
  unicode: 'Adé ₦ 😀 \u2028',
  'a-name with $ignits': true,
  nested: { empty: {}, list: [1, 'two', null, false, { deep: -1.5 }], none: null },
  large: 100_000_000_000,
};

describe('A request rendered in every language', () => {
  for (const { language, title } of languages) {
    it(`is sent unchanged by ${title}`, async function () {
      if (!isRunnable(language as Language)) this.skip();
      const received: unknown[] = [];
      const server = createServer(async (request, response) => {
        received.push({
          method: request.method,
          url: request.url,
          headers: request.headers,
          body: request.method === 'POST' ? await json(request) : null,
        });
        response.setHeader('content-type', 'application/json').end('{}');
      });
      await using target = await listen(server, 0, '127.0.0.1');
      const url = `http://127.0.0.1:${target.port}/v1/things?a=b%20c&d=%27e%27`;
      const sent = { idempotencyKey: `it's "mine"`, body: hostile };
      for (const request of [
        { method: 'POST', url, credential: 'SVC_SECRET_KEY', ...sent },
        { method: 'GET', url, credential: null },
        { method: 'DELETE', url, credential: 'SVC_USER_TOKEN' },
      ]) {
        const { code } = samplesOf(request).find((sample) => sample.language === language)!;
        const env = { SVC_SECRET_KEY: 'svc_sk_1', SVC_USER_TOKEN: 'hat_1' };
        await runProgram(language as Language, code, env);
      }
      const [post, get, remove] = received as Record<string, any>[];
      const path = '/v1/things?a=b%20c&d=%27e%27';
      expect(post).to.deep.include({ method: 'POST', url: path, body: hostile });
      expect(post!.headers).to.include({
        authorization: 'Bearer svc_sk_1',
        'content-type': 'application/json',
        'idempotency-key': `it's "mine"`,
      });
      expect(get).to.include({ method: 'GET' });
      expect(get!.headers).not.to.have.any.keys('authorization', 'idempotency-key');
      expect(remove!.method).to.equal('DELETE');
      expect(remove!.headers.authorization).to.equal('Bearer hat_1');
    });
  }
});
