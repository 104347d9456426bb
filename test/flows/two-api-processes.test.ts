import { expect } from 'chai';
import { sha256Of } from '../../domain/shared/sha256.ts';
import { type ApiProcess, startApiProcess } from '../support/api-process.ts';
import { expectRefused } from '../support/contract.ts';
import { memberOf } from '../support/members.ts';
import { type TestTenant, useStack } from '../support/stack.ts';
import { refresh, revoke, signIn } from '../support/tokens.ts';

const order = { amount_kobo: 10_000, email: 'ada@example.com' };

/**
 * A change made through one process holds in the other from its next request, although that one has
 * the credential cached.
 */
describe('With two API processes', () => {
  const stack = useStack({ workers: false });
  let here: ApiProcess;
  let there: ApiProcess;
  let tenant: TestTenant;
  let asOwner: { key: string };
  before(async () => {
    [here, there] = await Promise.all([startApiProcess(stack), startApiProcess(stack)]);
  });
  after(async () => {
    await here?.[Symbol.asyncDispose]();
    await there?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    tenant = await stack.newTenant();
    asOwner = { key: (await memberOf(stack, tenant, 'owner')).token };
  });

  const chargeThere = (key: string) => there.api.post('/charges', order, { key });
  const usedThere = async (key: string) => {
    for (let n = 0; n < 3; n++) expect((await chargeThere(key)).status).to.equal(201);
  };
  const refusedThere = async (key: string) => {
    expectRefused(await chargeThere(key), 'unauthorized');
    expectRefused(await there.api.get('/charges/SV-100001', { key }), 'unauthorized');
  };

  it('a sign-in made in one is valid in the other, and ends in both when it is signed out', async () => {
    const pair = await signIn(here, tenant.owner);
    await usedThere(pair.access_token);
    expect((await revoke(here, pair.refresh_token)).status).to.equal(200);
    await refusedThere(pair.access_token);
    expectRefused(await refresh(there, pair.refresh_token), 'unauthorized');
  });

  it('a refresh token exchanged in one is used up in the other; both at once get the same pair', async () => {
    const first = await signIn(here, tenant.owner);
    const answers = await Promise.all(
      [here, there, here, there].map((process) => refresh(process, first.refresh_token)),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    expect(new Set(answers.map(({ json }) => json.refresh_token)).size).to.equal(1);
    const next = answers[0]!.json;
    await usedThere(next.access_token);
    expect((await refresh(here, next.refresh_token)).status).to.equal(200);
    expectRefused(await refresh(here, first.refresh_token), 'unauthorized');
    await refusedThere(next.access_token);
  });

  it('a member disabled in one, and an API key revoked there, are refused in the other', async () => {
    const { memberId, token } = await memberOf(stack, tenant, 'developer');
    const [apiKey] = await stack.sql`select id from api_keys
      where sha256 = ${sha256Of(tenant.secret_key_test)}`;
    for (const [key, path] of [
      [token, `/members/${memberId}`],
      [tenant.secret_key_test, `/api-keys/${apiKey.id}`],
    ] as const) {
      await usedThere(key);
      expect((await here.api.remove(path, asOwner)).status).to.equal(200);
      await refusedThere(key);
    }
  });

  it('a role changed in one holds in the other', async () => {
    const { memberId, token } = await memberOf(stack, tenant, 'developer');
    await usedThere(token);
    const changed = await here.api.patch(`/members/${memberId}`, { role: 'viewer' }, asOwner);
    expect(changed.status).to.equal(200);
    expectRefused(await chargeThere(token), 'forbidden');
    expectRefused(await there.api.get('/charges/SV-999999999', { key: token }), 'not_found');
  });

  it('a password set by a link ends the sign-ins made with the old one in both', async () => {
    const pair = await signIn(there, tenant.owner);
    await usedThere(pair.access_token);
    const [{ id }] = await stack.sql`select id from members where email = ${tenant.owner.email}`;
    const link = await here.api.post(`/members/${id}/set-password-link`, undefined, asOwner);
    const body = new URLSearchParams({ password: 'correct horse battery' });
    const set = await fetch(link.json.set_password_url, { method: 'POST', body });
    expect(set.status).to.equal(200);
    await refusedThere(pair.access_token);
    await signIn(there, { ...tenant.owner, password: 'correct horse battery' });
  });

  it('connections disabled in one take no charge in the other', async () => {
    await usedThere(tenant.secret_key_test);
    const connections = await stack.sql`select id from connections
      where tenant_id = ${tenant.tenant_id}`;
    for (const { id } of connections) {
      const changed = await here.api.patch(`/connections/${id}`, { status: 'disabled' }, asOwner);
      expect(changed.status, changed.text).to.equal(200);
    }
    expectRefused(await chargeThere(tenant.secret_key_test), 'no_provider');
  });
});
