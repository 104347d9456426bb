import { expect } from 'chai';
import { routes } from '../../api/routes.ts';
import { type Role, roles } from '../../domain/accounts/roles.ts';
import { NIL_TENANT_ID } from '../../domain/shared/ids.ts';
import type { Answer } from '../support/api.ts';
import { revokeKeys } from '../support/connect.ts';
import { expectContractHeaders, expectError, expectRefused } from '../support/contract.ts';
import { type Keys, keysOf } from '../support/members.ts';
import { nameOf } from '../support/route-calls.ts';
import { writingNothing } from '../support/row-counts.ts';
import { runTwice } from '../support/run-twice.ts';
import { type Stack, type TestTenant, useStack } from '../support/stack.ts';
import { type Entry, entries, MERCHANT_REFERENCE, order, PAYER, readers } from './access-table.ts';

type Call = (key: string | null) => Promise<Answer>;

async function prepare(stack: Stack, name: string, id?: string): Promise<Call> {
  const { subject, own, body, query = '' } = entries[name]!;
  const [method = '', path = ''] = name.split(' ');
  const named = id ?? (await subject?.(stack)) ?? own?.(stack) ?? '';
  const sent = typeof body === 'function' ? await body(stack) : body;
  return (key) => stack.api.send(method, `${path.replace(/:\w+/, named)}${query}`, sent, { key });
}

function expectAllowed({ status, text }: Answer, expected: number | undefined): void {
  if (expected) expect(status, text).to.equal(expected);
  else expect(status, text).to.be.within(200, 299);
}

describe('Access to each endpoint', () => {
  const stack = useStack({ workers: false, books: false });
  let other: TestTenant;
  let own: Keys;
  let ownLive: Keys;
  let others: Keys;
  let revoked: Keys;

  before(async () => {
    other = await stack.newTenant();
    own = await keysOf(stack, stack.tenant, 'test');
    ownLive = await keysOf(stack, stack.tenant, 'live');
    others = await keysOf(stack, other, 'test');
    revoked = await revokedKeys();
    await stack.api.post('/charges', { ...order, reference: MERCHANT_REFERENCE });
  });

  it('is tested for every route', () => {
    expect(Object.keys(entries).sort()).to.deep.equal(routes.map(nameOf).sort());
  });

  async function revokedKeys(): Promise<Keys> {
    const gone = await stack.newTenant();
    const keys = await keysOf(stack, gone, 'test');
    for (const role of readers)
      expect((await stack.api.get('/refunds', { key: keys[role] })).status).to.equal(200);
    await revokeKeys(stack, gone.tenant_id);
    await stack.sql`update token_families set revoked_at = now() from members
      where members.id = member_id and members.tenant_id = ${gone.tenant_id}`;
    return keys;
  }

  function expectNothingOfOurs({ text }: Answer, tenantId: string): void {
    for (const mark of [PAYER, MERCHANT_REFERENCE]) expect(text).not.to.include(mark);
    if (tenantId !== stack.tenant.tenant_id) expect(text).not.to.include(stack.tenant.tenant_id);
  }

  async function expectUnauthorized(call: Call): Promise<void> {
    const unknown = [null, `svc_sk_test_${'0'.repeat(36)}`, `hat_${'0'.repeat(40)}`];
    for (const refused of await Promise.all([...unknown, ...Object.values(revoked)].map(call))) {
      expectRefused(refused, 'unauthorized');
      expectContractHeaders(refused, null);
    }
  }

  async function expectForbidden(call: Call, may: readonly Role[]): Promise<void> {
    for (const role of roles.filter((role) => !may.includes(role))) {
      const refused = await call(own[role]);
      expectRefused(refused, 'forbidden');
      expectContractHeaders(refused, stack.tenant.tenant_id);
    }
  }

  async function expectNothingShared(call: Call, entry: Entry, may: readonly Role[]) {
    const callers = may.map((role) => ({ key: others[role], tenantId: other.tenant_id }));
    if (!entry.modeless)
      callers.push(
        ...may.map((role) => ({ key: ownLive[role], tenantId: stack.tenant.tenant_id })),
      );
    const answers = await Promise.all(callers.map(({ key }) => call(key)));
    for (const [index, { tenantId }] of callers.entries()) {
      const answer = answers[index]!;
      const expected = entry.subject ? 404 : entry.foreignStatus;
      if (expected) expectError(answer, expected, 'not_found');
      expectContractHeaders(answer, tenantId);
      expectNothingOfOurs(answer, tenantId);
    }
  }

  it('answers 404 for an id or a reference of any form that names nothing', async () => {
    const ids = [`mem_${'0'.repeat(26)}`, 'mem_', '%00', 'con_%00', '%ed%95%9c', '1'.repeat(8_000)];
    for (const [name, { may, subject }] of Object.entries(entries)) {
      if (may === 'anyone' || !subject) continue;
      const calls = await Promise.all(ids.map((id) => prepare(stack, name, id)));
      await writingNothing(stack, async () => {
        for (const call of calls) expectRefused(await call(own.owner), 'not_found');
      });
    }
  });

  for (const [name, { subject }] of Object.entries(entries))
    if (name.startsWith('PATCH'))
      it(`${name} writes nothing, to the audit log neither, where it changes nothing`, async () => {
        const call = await prepare(stack, name, await subject?.(stack));
        await runTwice(stack, () => call(own.owner));
      });

  for (const [name, entry] of Object.entries(entries)) {
    const { may, subject, status } = entry;
    if (may === 'anyone') {
      it(`${name} needs no credential`, async () => {
        const answer = await (await prepare(stack, name))(null);
        expectAllowed(answer, status);
        expect(answer.headers.get('x-service-tenant')).to.equal(NIL_TENANT_ID);
      });
      continue;
    }

    it(`${name} is allowed to ${may.join(', ')} of its tenant and mode, and to no other`, async () => {
      let call = await prepare(stack, name);
      await writingNothing(stack, async () => {
        await expectUnauthorized(call);
        await expectForbidden(call, may);
        if (subject) await expectNothingShared(call, entry, may);
      });
      if (!subject) {
        await expectNothingShared(call, entry, may);
        call = await prepare(stack, name);
      }
      for (const [index, role] of may.entries()) {
        if (index > 0 && !name.startsWith('GET')) call = await prepare(stack, name);
        const answer = await call(own[role]);
        expectAllowed(answer, status);
        expectContractHeaders(answer, stack.tenant.tenant_id);
      }
    });
  }
});
