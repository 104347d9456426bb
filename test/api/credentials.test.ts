import { expect } from 'chai';
import { revokeKeys } from '../support/connect.ts';
import { expectContractHeaders, expectRefusal } from '../support/contract.ts';
import { useStack } from '../support/stack.ts';

const body = { amount_kobo: 10_000, email: 'ada@example.com' };

describe('The Authorization header', () => {
  const stack = useStack({ workers: false });
  let reference: string;
  before(async () => {
    reference = (await stack.api.post('/charges', body)).json.reference;
  });

  /**
   * Expects that the answer is 401 and nothing is written, where a credential is checked before the
   * work and where the statement that does the work checks it. Every endpoint refuses invalid
   * credentials: test/api/access.test.ts.
   */
  async function expectRefused(authorization: string | undefined, message: RegExp) {
    for (const [method, path, sent] of [
      ['GET', `/charges/${reference}`, undefined],
      ['POST', '/payment-links', body],
      ['POST', '/charges', body],
    ] as const) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const refused = await expectRefusal(
        stack,
        () => stack.api.send(method, path, sent, { key: null, headers }),
        'unauthorized',
      );
      expect(refused.headers.get('www-authenticate')).to.equal('Bearer');
      expectContractHeaders(refused, null);
      expect(refused.json.error.message).to.match(message);
    }
  }

  const unreadable: [title: string, header: string | undefined][] = [
    ['no Authorization header', undefined],
    ['an empty Authorization header', ''],
    ['a key without its scheme', `svc_sk_test_${'0'.repeat(36)}`],
    ['the scheme alone', 'Bearer'],
    ['the scheme and a space', 'Bearer '],
    ['another scheme', 'Basic c3ZjOnNr'],
    ['two credentials', 'Bearer one two'],
  ];
  for (const [title, header] of unreadable) {
    it(`answers ${title} with 401, asking for Authorization: Bearer`, () =>
      expectRefused(header, /Authorization: Bearer/));
  }

  const unknown: [title: string, key: (good: string) => string][] = [
    ['a key nobody has', () => `svc_sk_test_${'0'.repeat(36)}`],
    ['a key said to be of the other mode', (good) => good.replace('_test_', '_live_')],
    ['a secret key said to be public', (good) => good.replace('svc_sk_', 'svc_pk_')],
    ['a key cut short', (good) => good.slice(0, -1)],
    ['a key with something behind it', (good) => `${good}0`],
    ['a key in capitals', (good) => good.toUpperCase()],
    ['a key of another product', () => `sk_test_${'0'.repeat(40)}`],
    ['a user token nobody has', () => `hat_${'0'.repeat(40)}`],
    ['a key with a quote in it', () => `svc_sk_test_'or'1'='1`],
    ['eight thousand letters', () => 'a'.repeat(8_000)],
  ];
  for (const [title, key] of unknown) {
    it(`answers ${title} with 401`, () =>
      expectRefused(`Bearer ${key(stack.tenant.secret_key_test)}`, /not known here/));
  }

  it('accepts the scheme in any case', async () => {
    for (const scheme of ['bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${stack.tenant.secret_key_test}` };
      expect(
        (await stack.api.get(`/charges/${reference}`, { key: null, headers })).status,
      ).to.equal(200);
    }
  });

  it('answers a revoked key with 401 from the next request on, and leaves other keys valid', async () => {
    const tenant = await stack.newTenant();
    const key = tenant.secret_key_test;
    expect((await stack.api.post('/charges', body, { key })).status).to.equal(201);
    await revokeKeys(stack, tenant.tenant_id);
    await expectRefused(`Bearer ${key}`, /not known here/);
    expect((await stack.api.get(`/charges/${reference}`)).status).to.equal(200);
  });
});
