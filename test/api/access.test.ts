import { expect } from 'chai';
import { routes } from '../../api/routes.ts';
import { type MemberRole, type Role, roles } from '../../domain/accounts/roles.ts';
import { NIL_TENANT_ID } from '../../domain/shared/ids.ts';
import type { Answer } from '../support/api.ts';
import { expectContractHeaders, expectError } from '../support/contract.ts';
import { memberOf } from '../support/members.ts';
import { nameOf } from '../support/route-calls.ts';
import { writingNothing } from '../support/row-counts.ts';
import { expectNoLeaks, type Stack, startStack, type TestTenant } from '../support/stack.ts';
import { entries, MERCHANT_REFERENCE, order, PAYER, readers } from './access-table.ts';

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
    for (const role of readers)
      expect((await stack.api.get('/refunds', { key: keys[role] })).status).to.equal(200);
    const { db, clock } = stack.context;
    await db.query('update api_keys set revoked_at = $2 where tenant_id = $1', [
      gone.tenant_id,
      clock(),
    ]);
    await db.query(
      'update token_families set revoked_at = $2 from members where members.id = member_id and members.tenant_id = $1',
      [gone.tenant_id, clock()],
    );
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
      const bad = [
        null,
        ...Object.values(revoked),
        `svc_sk_test_${'0'.repeat(36)}`,
        `hat_${'0'.repeat(40)}`,
      ];
      const answers = await writingNothing(stack, () => Promise.all(bad.map(call)));
      for (const refused of answers) {
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
      if (!modeless)
        others.push(
          ...may.map((role) => ({ key: ownLive[role], tenantId: stack.tenant.tenant_id })),
        );
      const ask = () => Promise.all(others.map(({ key }) => call(key)));
      const answers = await (subject ? writingNothing(stack, ask) : ask());
      for (const [index, { tenantId }] of others.entries()) {
        const answer = answers[index]!;
        const expected = subject ? 404 : strangerHears;
        if (expected) expectError(answer, expected, 'not_found');
        expectContractHeaders(answer, tenantId);
        expectNothingOfOurs(answer, tenantId);
      }
    });
  }
});
