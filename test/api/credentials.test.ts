import { expect } from 'chai';
import { revokeKeys } from '../support/connect.ts';
import { expectContractHeaders, expectError } from '../support/contract.ts';
import { endpointsOf } from '../support/endpoints.ts';
import { writingNothing } from '../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack } from '../support/stack.ts';

const body = { amount_kobo: 10_000, email: 'ada@example.com' };

describe('Every endpoint', () => {
  let stack: Stack;
  let reference: string;
  before(async () => {
    stack = await startStack({ workers: false });
    reference = (await stack.api.post('/charges', body)).json.reference;
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));

  /** Calls every endpoint with this Authorization header, and holds that each answers 401 and writes nothing. */
  async function expectRefusedEverywhere(authorization: string | undefined, say: RegExp) {
    for (const { method, path } of endpointsOf(reference).filter(({ may }) => may !== 'anyone')) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const sent = method === 'GET' ? undefined : body;
      const refused = await writingNothing(stack, () =>
        stack.api.send(method, path, sent, { key: null, headers }),
      );
      expectError(refused, 401, 'unauthorized');
      expect(refused.headers.get('www-authenticate')).to.equal('Bearer');
      expectContractHeaders(refused, null);
      expect(refused.json.error.message).to.match(say);
    }
  }

  const unreadable: [title: string, header: string | undefined][] = [
    ['no Authorization header', undefined],
    ['an empty Authorization header', ''],
    ['the scheme alone', 'Bearer'],
    ['the scheme and a space', 'Bearer '],
    ['another scheme', 'Basic c3ZjOnNr'],
    ['two credentials', 'Bearer one two'],
  ];
  for (const [title, header] of unreadable) {
    it(`answers ${title} with 401, asking for Authorization: Bearer`, () =>
      expectRefusedEverywhere(header, /Authorization: Bearer/));
  }

  it('answers a key without its scheme with 401, asking for Authorization: Bearer', () =>
    expectRefusedEverywhere(stack.tenant.secret_key_test, /Authorization: Bearer/));

  const strangers: [title: string, key: (good: string) => string][] = [
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
  for (const [title, key] of strangers) {
    it(`answers ${title} with 401`, () =>
      expectRefusedEverywhere(`Bearer ${key(stack.tenant.secret_key_test)}`, /not known here/));
  }

  /** What a secret key may read of one thing. */
  const readsOf = (name: string) =>
    endpointsOf(name).filter(
      ({ method, path, may }) => method === 'GET' && may === 'read' && path.includes(name),
    );

  it('takes the scheme in any case, as HTTP has it', async () => {
    for (const scheme of ['bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${stack.tenant.secret_key_test}` };
      expect(
        (await stack.api.get(`/charges/${reference}`, { key: null, headers })).status,
      ).to.equal(200);
    }
  });

  it('answers a revoked key with 401 from the next request on, and leaves other keys alone', async () => {
    const tenant = await stack.newTenant();
    const key = tenant.secret_key_test;
    expect((await stack.api.post('/charges', body, { key })).status).to.equal(201);
    await revokeKeys(stack, tenant.tenant_id);
    await expectRefusedEverywhere(`Bearer ${key}`, /not known here/);
    expect((await stack.api.get(`/charges/${reference}`)).status).to.equal(200);
  });

  it('shows nothing of another tenant, nor of the other mode: 404', async () => {
    const other = await stack.newTenant();
    for (const key of [
      other.secret_key_test,
      other.secret_key_live,
      stack.tenant.secret_key_live,
    ]) {
      for (const { path } of readsOf(reference)) {
        const refused = await writingNothing(stack, () => stack.api.get(path, { key }));
        expectError(refused, 404, 'not_found');
        expectContractHeaders(
          refused,
          key === stack.tenant.secret_key_live ? stack.tenant.tenant_id : other.tenant_id,
        );
      }
    }
  });

  it('answers 404 for a reference that is none', async () => {
    const unknown = [
      'SV-999999999',
      'SV-0',
      'SV-',
      'SV-1e3',
      'SV--1',
      'SV-0100001',
      'SV-9999999999999999999',
      'sv-100001',
      'order-1',
      '%00',
      '%20',
    ];
    for (const name of unknown) {
      for (const { path } of readsOf(name)) {
        const refused = await writingNothing(stack, () => stack.api.get(path));
        expectError(refused, 404, 'not_found');
        expectContractHeaders(refused, stack.tenant.tenant_id);
      }
    }
  });
});
