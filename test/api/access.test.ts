import { expect } from 'chai';
import { routes } from '../../api/routes.ts';
import { NIL_TENANT_ID, newId } from '../../domain/ids.ts';
import { type MemberRole, type Role, roles } from '../../domain/tenant/roles.ts';
import type { Answer } from '../support/api.ts';
import { newCharge, putCharge } from '../support/charges.ts';
import { expectContractHeaders, expectError } from '../support/contract.ts';
import { memberOf } from '../support/members.ts';
import { addReview } from '../support/reviews.ts';
import { nameOf } from '../support/route-calls.ts';
import { writingNothing } from '../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack, type TestTenant } from '../support/stack.ts';

/** What it takes to call an endpoint, and who may. Written down here once more, so that a slip in the routes' own table is seen. */
interface Entry {
  may: readonly Role[] | 'anyone';
  /** Makes what the path names, of the tenant's test mode; returns its id or reference. */
  subject?: (stack: Stack) => Promise<string>;
  body?: object | ((stack: Stack) => Promise<object>);
  query?: string;
  /** What a caller who may do it is answered; absent: a success. */
  status?: number;
  /** What a tenant hears who names in query or body what is another's. */
  strangerHears?: 404;
  /** True for what both modes share. */
  modeless?: true;
}

const readers: readonly Role[] = ['secret', 'owner', 'developer', 'viewer'];
const collectors: readonly Role[] = ['secret', 'owner', 'developer'];
const developers: readonly Role[] = ['owner', 'developer'];
const owners: readonly Role[] = ['owner'];

const PAYER = 'adaeze.secret@payer.example';
const MERCHANT_REFERENCE = 'order-of-adaeze';
const order = { amount_kobo: 50_000, email: PAYER };

const open = async (stack: Stack) => (await newCharge(stack, order)).reference;

async function paid(stack: Stack): Promise<string> {
  const charge = await newCharge(stack, order);
  await putCharge(stack, charge, 'succeeded');
  return charge.reference;
}

async function requestedRefund(stack: Stack): Promise<string> {
  const { json } = await stack.api.post('/refunds', { reference: await paid(stack), reason: 'The dress did not fit.' });
  return json.id;
}

const review = (stack: Stack) => addReview(stack);

const link = { amount_kobo: 50_000, description: 'Two tickets' };
const paymentLink = async ({ api }: Stack) => (await api.post('/payment-links', link)).json.id as string;

async function apiKey(stack: Stack): Promise<string> {
  const [row] = await stack.context.db.query<{ id: string }>(
    `insert into api_keys (id, tenant_id, mode, kind, sha256, last4, created_at) values ($1, $2, 'test', 'secret', $1, 'abcd', $3) returning id`,
    [newId('key', stack.clock()), stack.tenant.tenant_id, stack.clock()],
  );
  return row!.id;
}

const member = async (stack: Stack) => (await memberOf(stack, stack.tenant, 'viewer')).memberId;

async function connection({ context, tenant }: Stack): Promise<string> {
  const [row] = await context.db.query<{ id: string }>(`select id from connections where tenant_id = $1 and mode = 'test'`, [
    tenant.tenant_id,
  ]);
  return row!.id;
}

async function settlement({ context, tenant, clock }: Stack): Promise<string> {
  const id = newId('stl', clock());
  await context.db.query(
    `insert into settlements (id, tenant_id, mode, connection_id, slot, status, expected_amount_kobo, created_at)
     values ($1, $2, 'test', 'con', 'provider_a', 'expected', 1000, $3)`,
    [id, tenant.tenant_id, clock()],
  );
  return id;
}

const transactionId = async (stack: Stack) => (await newCharge(stack, order)).id.replace('ct_', 'txn_');
const unknownToken = { refresh_token: `hrt_${'0'.repeat(40)}` };

const entries: Record<string, Entry> = {
  'POST /charges': { may: ['secret', 'public', 'owner', 'developer'], body: { amount_kobo: 50_000, email: 'anybody@payer.example' } },
  'GET /charges': { may: readers, query: `?merchant_reference=${MERCHANT_REFERENCE}`, strangerHears: 404 },
  'GET /charges/:reference': { may: readers, subject: open },
  'GET /charges/:reference/timeline': { may: readers, subject: open },
  'POST /charges/:reference/cancel': { may: collectors, subject: open, body: {} },
  'GET /transactions': { may: readers },
  'GET /transactions/:id': { may: readers, subject: transactionId },
  'POST /refunds': {
    may: collectors,
    body: async (stack) => ({ reference: await paid(stack), reason: 'The dress did not fit.' }),
    strangerHears: 404,
  },
  'GET /refunds': { may: readers },
  'GET /refunds/:id': { may: readers, subject: requestedRefund },
  'POST /refunds/:id/approve': { may: owners, subject: requestedRefund, body: {} },
  'POST /refunds/:id/reject': { may: owners, subject: requestedRefund, body: { reason: 'Not within 14 days.' } },
  'GET /reviews': { may: readers },
  'GET /reviews/:id': { may: readers, subject: review },
  'POST /reviews/:id/accept': { may: owners, subject: review, body: {} },
  'POST /reviews/:id/return': { may: owners, subject: review, body: { note: 'The customer asked for it.' } },
  'POST /payment-links': { may: collectors, body: link },
  'GET /payment-links': { may: readers },
  'GET /payment-links/:id': { may: readers, subject: paymentLink },
  'POST /payment-links/:id/disable': { may: collectors, subject: paymentLink, body: {} },
  'GET /settlements': { may: readers },
  'GET /settlements/:id': { may: readers, subject: settlement },
  'GET /settlements/:id/transactions': { may: readers, subject: settlement },
  'GET /events': { may: readers },
  'POST /api-keys': { may: developers, body: { kind: 'secret' } },
  'GET /api-keys': { may: developers },
  'GET /api-keys/:id': { may: developers, subject: apiKey },
  'PATCH /api-keys/:id': { may: developers, subject: apiKey, body: { name: 'Web shop' } },
  'DELETE /api-keys/:id': { may: developers, subject: apiKey },
  'GET /connections': { may: owners },
  'GET /connections/:id': { may: owners, subject: connection },
  // No credentials of the provider behind this slot: whoever may connect providers hears that.
  'POST /connections': { may: owners, body: { provider: 'provider_c', credentials: { secret_key: 'sk_test_1' } }, status: 422 },
  'PATCH /connections/:id': { may: owners, subject: connection, body: { position: 2 } },
  'POST /connections/:id/check': { may: owners, subject: connection, body: {} },
  'POST /members': {
    may: owners,
    body: async (stack) => ({ email: `${newId('mem', stack.clock())}@new.example`, role: 'viewer' }),
    modeless: true,
  },
  'GET /members': { may: owners, modeless: true },
  'GET /members/:id': { may: owners, subject: member, modeless: true },
  'PATCH /members/:id': { may: owners, subject: member, body: { role: 'developer' }, modeless: true },
  'DELETE /members/:id': { may: owners, subject: member, modeless: true },
  'POST /members/:id/set-password-link': { may: owners, subject: member, body: {}, modeless: true },
  'POST /auth/token': { may: 'anyone', body: { email: 'nobody@example.com', password: 'no such password', mode: 'test' }, status: 401 },
  'POST /auth/refresh': { may: 'anyone', body: unknownToken, status: 401 },
  'POST /auth/revoke': { may: 'anyone', body: unknownToken },
};

/** One credential of each kind. */
type Keys = Record<Role, string>;

async function keysOf(stack: Stack, tenant: TestTenant, mode: 'test' | 'live'): Promise<Keys> {
  const token = async (role: MemberRole) => (await memberOf(stack, tenant, role, mode)).token;
  return {
    secret: tenant[`secret_key_${mode}`],
    public: tenant[`public_key_${mode}`],
    owner: await token('owner'),
    developer: await token('developer'),
    viewer: await token('viewer'),
  };
}

/** A call with everything it names made beforehand; only the credential is missing. */
type Call = (key: string | null) => Promise<Answer>;

async function prepare(stack: Stack, name: string): Promise<Call> {
  const { subject, body, query = '' } = entries[name]!;
  const [method = '', path = ''] = name.split(' ');
  const named = (await subject?.(stack)) ?? '';
  const sent = typeof body === 'function' ? await body(stack) : body;
  return (key) => stack.api.send(method, `${path.replace(/:\w+/, named)}${query}`, sent, { key });
}

function expectWelcome({ status, text }: Answer, expected: number | undefined): void {
  if (expected) expect(status, text).to.equal(expected);
  else expect(status, text).to.be.within(200, 299);
}

describe('The table of access', () => {
  it('has an entry for every route, and for nothing else', () => {
    expect(Object.keys(entries).sort()).to.deep.equal(routes.map(nameOf).sort());
  });
});

describe('Access', () => {
  let stack: Stack;
  let stranger: TestTenant;
  let own: Keys;
  let ownLive: Keys;
  let strangers: Keys;
  let revoked: Keys;

  before(async () => {
    stack = await startStack({ workers: false });
    stranger = await stack.newTenant();
    own = await keysOf(stack, stack.tenant, 'test');
    ownLive = await keysOf(stack, stack.tenant, 'live');
    strangers = await keysOf(stack, stranger, 'test');
    revoked = await revokedKeys();
    await stack.api.post('/charges', { ...order, reference: MERCHANT_REFERENCE });
  });
  after(() => stack[Symbol.asyncDispose]());
  afterEach(() => expectNoLeaks(stack));

  /** Good a moment ago, and met by this process. */
  async function revokedKeys(): Promise<Keys> {
    const gone = await stack.newTenant();
    const keys = await keysOf(stack, gone, 'test');
    for (const role of readers) expect((await stack.api.get('/refunds', { key: keys[role] })).status).to.equal(200);
    const { db, clock } = stack.context;
    await db.query('update api_keys set revoked_at = $2 where tenant_id = $1', [gone.tenant_id, clock()]);
    await db.query('update token_families set revoked_at = $2 from members where members.id = member_id and members.tenant_id = $1', [
      gone.tenant_id,
      clock(),
    ]);
    return keys;
  }

  /** No customer, no reference; and no id of the tenant, where it is not the caller's own. */
  function expectNothingOfOurs({ text }: Answer, tenantId: string): void {
    for (const mark of [PAYER, MERCHANT_REFERENCE]) expect(text).not.to.include(mark);
    if (tenantId !== stack.tenant.tenant_id) expect(text).not.to.include(stack.tenant.tenant_id);
  }

  for (const [name, { may, subject, status, strangerHears, modeless }] of Object.entries(entries)) {
    if (may === 'anyone') {
      it(`to ${name} takes no credential`, async () => {
        const answer = await (await prepare(stack, name))(null);
        expectWelcome(answer, status);
        expect(answer.headers.get('x-service-tenant')).to.equal(NIL_TENANT_ID);
      });
      continue;
    }

    it(`to ${name} takes a credential that is good now`, async () => {
      const call = await prepare(stack, name);
      for (const key of [null, ...Object.values(revoked), `svc_sk_test_${'0'.repeat(36)}`, `hat_${'0'.repeat(40)}`]) {
        const refused = await writingNothing(stack, () => call(key));
        expectError(refused, 401, 'unauthorized');
        expectContractHeaders(refused, null);
      }
    });

    for (const role of roles.filter((role) => may.includes(role))) {
      it(`to ${name} is open to ${role}`, async () => {
        const answer = await (await prepare(stack, name))(own[role]);
        expectWelcome(answer, status);
        expectContractHeaders(answer, stack.tenant.tenant_id);
      });
    }

    for (const role of roles.filter((role) => !may.includes(role))) {
      it(`to ${name} is closed to ${role}`, async () => {
        const call = await prepare(stack, name);
        const refused = await writingNothing(stack, () => call(own[role]));
        expectError(refused, 403, 'forbidden');
        expectContractHeaders(refused, stack.tenant.tenant_id);
      });
    }

    it(`to ${name} shows a tenant nothing of another${modeless ? '' : ', nor one mode anything of the other'}`, async () => {
      const call = await prepare(stack, name);
      const others = may.map((role) => ({ key: strangers[role], tenantId: stranger.tenant_id }));
      if (!modeless) others.push(...may.map((role) => ({ key: ownLive[role], tenantId: stack.tenant.tenant_id })));
      for (const { key, tenantId } of others) {
        const answer = subject ? await writingNothing(stack, () => call(key)) : await call(key);
        const expected = subject ? 404 : strangerHears;
        if (expected) expectError(answer, expected, 'not_found');
        expectContractHeaders(answer, tenantId);
        expectNothingOfOurs(answer, tenantId);
      }
    });
  }
});
