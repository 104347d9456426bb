import { expect } from 'chai';
import { sha256Of } from '../../domain/shared/sha256.ts';
import { type ApiProcess, startApiProcess } from '../support/api-process.ts';
import { expectError } from '../support/contract.ts';
import { memberOf, type SignedIn } from '../support/members.ts';
import { type Stack, startStack, type TestTenant } from '../support/stack.ts';
import { refresh, revoke, signIn } from '../support/tokens.ts';

const order = { amount_kobo: 10_000, email: 'ada@example.com' };

/**
 * A change made through one process holds in the other from its next request, although that one has
 * the credential cached.
 */
describe('With two API processes', () => {
  let stack: Stack;
  let here: ApiProcess;
  let there: ApiProcess;
  let tenant: TestTenant;
  let owner: SignedIn;
  before(async () => {
    stack = await startStack({ workers: false });
    [here, there] = await Promise.all([startApiProcess(stack), startApiProcess(stack)]);
  });
  after(async () => {
    await here?.[Symbol.asyncDispose]();
    await there?.[Symbol.asyncDispose]();
    await stack?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    tenant = await stack.newTenant();
    owner = await memberOf(stack, tenant, 'owner');
  });

  const chargeThere = (key: string) => there.api.post('/charges', order, { key });
  /** Uses a credential in the other process until it is cached there. */
  const usedThere = async (key: string) => {
    for (let n = 0; n < 3; n++) expect((await chargeThere(key)).status).to.equal(201);
  };
  const refusedThere = async (key: string) => {
    expectError(await chargeThere(key), 401, 'unauthorized');
    expectError(await there.api.get('/charges/SV-100001', { key }), 401, 'unauthorized');
  };

  it('a sign-in made in one is valid in the other, and ends in both when it is signed out', async () => {
    const pair = await signIn(here, tenant.owner);
    await usedThere(pair.access_token);
    expect((await revoke(here, pair.refresh_token)).status).to.equal(200);
    await refusedThere(pair.access_token);
    expectError(await refresh(there, pair.refresh_token), 401, 'unauthorized');
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
    expectError(await refresh(here, first.refresh_token), 401, 'unauthorized');
    await refusedThere(next.access_token);
  });

  it('a member disabled in one is refused in the other', async () => {
    const { memberId, token } = await memberOf(stack, tenant, 'developer');
    await usedThere(token);
    expect(
      (await here.api.send('DELETE', `/members/${memberId}`, undefined, { key: owner.token }))
        .status,
    ).to.equal(200);
    await refusedThere(token);
  });

  it('a role changed in one holds in the other', async () => {
    const { memberId, token } = await memberOf(stack, tenant, 'developer');
    await usedThere(token);
    const changed = await here.api.send(
      'PATCH',
      `/members/${memberId}`,
      { role: 'viewer' },
      { key: owner.token },
    );
    expect(changed.status).to.equal(200);
    expectError(await chargeThere(token), 403, 'forbidden');
    expectError(await there.api.get('/charges/SV-999999999', { key: token }), 404, 'not_found');
  });

  it('a password set by a link ends the sign-ins made with the old one in both', async () => {
    const pair = await signIn(there, tenant.owner);
    await usedThere(pair.access_token);
    const [{ id }] = (await stack.context.db.query<{ id: string }>(
      'select id from members where email = $1',
      [tenant.owner.email],
    )) as [{ id: string }];
    const link = await here.api.post(`/members/${id}/set-password-link`, undefined, {
      key: owner.token,
    });
    const body = new URLSearchParams({ password: 'correct horse battery' });
    expect((await fetch(link.json.set_password_url, { method: 'POST', body })).status).to.equal(
      200,
    );
    await refusedThere(pair.access_token);
    expect(
      (await signIn(there, { ...tenant.owner, password: 'correct horse battery' })).token_type,
    ).to.equal('Bearer');
  });

  it('an API key revoked in one is refused in the other', async () => {
    await usedThere(tenant.secret_key_test);
    const [key] = await stack.context.db.query<{ id: string }>(
      'select id from api_keys where sha256 = $1',
      [sha256Of(tenant.secret_key_test)],
    );
    expect(
      (await here.api.send('DELETE', `/api-keys/${key!.id}`, undefined, { key: owner.token }))
        .status,
    ).to.equal(200);
    await refusedThere(tenant.secret_key_test);
  });

  it('connections disabled in one take no charge in the other', async () => {
    await usedThere(tenant.secret_key_test);
    const connections = await stack.context.db.query<{ id: string }>(
      'select id from connections where tenant_id = $1',
      [tenant.tenant_id],
    );
    for (const { id } of connections) {
      const changed = await here.api.send(
        'PATCH',
        `/connections/${id}`,
        { status: 'disabled' },
        { key: owner.token },
      );
      expect(changed.status, changed.text).to.equal(200);
    }
    expectError(await chargeThere(tenant.secret_key_test), 422, 'no_provider');
  });
});
