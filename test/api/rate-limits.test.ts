import { expect } from 'chai';
import type { RateLimits } from '../../config/limits/rate-limits.ts';
import { newUserToken } from '../../domain/accounts/token/credentials.ts';
import { sha256Of } from '../../domain/shared/sha256.ts';
import type { Answer, CallOptions } from '../support/api.ts';
import { revokeKeys } from '../support/connect.ts';
import { expectContractHeaders, expectRefusal, expectRefused } from '../support/contract.ts';
import { memberOf, type SignedIn } from '../support/members.ts';
import { writingNothing } from '../support/row-counts.ts';
import { generousLimits, type Stack, startStack, useStack } from '../support/stack.ts';
import { refresh, revoke, signIn } from '../support/tokens.ts';
import { until } from '../support/until.ts';

const body = { amount_kobo: 10_000, email: 'ada@example.com' };

/** Long enough that no window ends in the middle of a test. */
const windowMs = 600_000;
const few: RateLimits = {
  ...generousLimits,
  secretKey: { points: 3, windowMs },
  userToken: { points: 4, windowMs },
  publicKey: { points: 2, windowMs },
};

function limitOf({ headers }: Answer): (string | null)[] {
  return ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => headers.get(name));
}

function expectLimited(answer: Answer, tenantId: string, points: number): void {
  expectRefused(answer, 'rate_limited');
  expectContractHeaders(answer, tenantId);
  expect(limitOf(answer)).to.deep.equal([String(points), '0']);
  const wait = answer.headers.get('retry-after');
  expect(wait).to.match(/^[1-9]\d*$/);
  expect(answer.headers.get('x-ratelimit-reset')).to.equal(wait);
  expect(Number(wait)).to.be.at.most(windowMs / 1_000);
}

describe('The rate limit', () => {
  const stack = useStack({ workers: false, env: { rateLimits: few, trustProxy: 'loopback' } });
  let options: { key: string };
  let tenantId: string;
  beforeEach(async () => {
    const tenant = await stack.newTenant();
    tenantId = tenant.tenant_id;
    options = { key: tenant.secret_key_test };
  });

  const get = (path = '/charges/SV-1', more: CallOptions = options) => stack.api.get(path, more);
  const create = (more: CallOptions = {}) =>
    stack.api.post('/charges', body, { ...options, ...more });
  const spend = async (more: CallOptions = options) => {
    for (let sent = 0; sent < 4; sent++) await get('/charges/SV-1', more);
  };

  it('is in the headers of every answer to a valid credential', async () => {
    const sent = [
      () => create(),
      () => stack.api.post('/charges', {}, options),
      () => get('/nothing'),
    ];
    for (const [index, send] of sent.entries()) {
      const answer = await send();
      expect(answer.status).to.equal([201, 422, 404][index]);
      expect(limitOf(answer)).to.deep.equal(['3', String(2 - index)]);
      expectContractHeaders(answer, tenantId);
      const resetSeconds = Number(answer.headers.get('x-ratelimit-reset'));
      expect(resetSeconds).to.be.within(windowMs / 1_000 - 60, windowMs / 1_000);
      expect(answer.headers.get('retry-after')).to.equal(null);
    }
  });

  it('answers 429 rate_limited beyond it, with Retry-After, and the request does nothing', async () => {
    await spend();
    const over = () => create({ idempotencyKey: 'over' });
    expectLimited(await writingNothing(stack, over), tenantId, 3);
  });

  it('is checked right after the credential: beyond it there is no 404, 405, 415, 400, 422 or 403', async () => {
    const member = await memberOf(stack, { tenant_id: tenantId }, 'viewer');
    const asViewer = { key: member.token };
    for (let sent = 0; sent < 4; sent++)
      expectRefused(await stack.api.post('/charges', body, asViewer), 'forbidden');
    await spend();
    const raw = (text: string, headers = {}) =>
      stack.api.post('/charges', undefined, { ...options, raw: text, headers });
    const sent: (() => Promise<Answer>)[] = [
      () => get('/nothing'),
      () => get('/charges/%ff'),
      () => stack.api.remove('/charges', options),
      () => raw('{}', { 'content-type': 'text/plain' }),
      () => raw('{'),
      () => stack.api.post('/charges', { amount_kobo: 'many' }, options),
      () => create({ idempotencyKey: 'ü' }),
    ];
    for (const send of sent) expectLimited(await send(), tenantId, 3);
    expectLimited(await stack.api.post('/charges', body, asViewer), tenantId, 4);
  });

  it('counts refreshes with their sign-in, and limits both together', async () => {
    const { owner } = await stack.newTenant();
    const [pair, other] = [await signIn(stack, owner), await signIn(stack, owner)];
    await get('/nothing', { key: pair.access_token });
    for (let sent = 0; sent < 3; sent++)
      expect((await refresh(stack, pair.refresh_token)).status).to.equal(200);
    for (const send of [refresh, revoke])
      await expectRefusal(stack, () => send(stack, pair.refresh_token), 'rate_limited');
    expect((await get('/nothing', { key: pair.access_token })).status).to.equal(429);
    expect((await refresh(stack, other.refresh_token)).status).to.equal(200);
  });

  it('does not count unknown credentials: they are 401 and leave no counter', async () => {
    const counters = await stack.count('rate_limits');
    for (let sent = 0; sent < 30; sent++) {
      const unknown = `svc_${sent % 2 ? 'sk' : 'pk'}_test_${String(sent).padStart(36, 'x')}`;
      const refused = await get('/charges/SV-1', {
        key: sent % 3 ? unknown : newUserToken('access'),
      });
      expectRefused(refused, 'unauthorized');
      expectContractHeaders(refused, null);
      expect(refused.headers.get('x-ratelimit-limit')).to.equal(null);
    }
    expect(await stack.count('rate_limits')).to.equal(counters);
  });

  it('is not in the headers of a revoked key’s 401, beyond the limit or below', async () => {
    await spend();
    expectLimited(await get(), tenantId, 3);
    await revokeKeys(stack, tenantId);
    for (let sent = 0; sent < 10; sent++) {
      const refused = await get();
      expectRefused(refused, 'unauthorized');
      expectContractHeaders(refused, null);
      expect(refused.headers.get('x-ratelimit-limit')).to.equal(null);
    }
  });

  it('begins no window for a revoked key: no counter is stored', async () => {
    const rateLimits = { ...generousLimits, secretKey: { points: 3, windowMs: 1_000 } };
    await using quick = await startStack({ workers: false, env: { rateLimits } });
    const { headers } = await quick.api.get('/nothing');
    const endMs = performance.now() + Number(headers.get('x-ratelimit-reset')) * 1_000;
    await revokeKeys(quick, quick.tenant.tenant_id);
    expectRefused(await quick.api.get('/nothing'), 'unauthorized');
    await until('the window’s end', async () => performance.now() > endMs);
    await quick.sql`delete from rate_limits`;
    expectRefused(await quick.api.get('/nothing'), 'unauthorized');
    expect(await quick.count('rate_limits')).to.equal(0);
  });

  it('is shared by all tokens of a family, and separate for another family', async () => {
    const first = await memberOf(stack, { tenant_id: tenantId }, 'owner');
    const second = await anotherToken(stack, first);
    const other = await memberOf(stack, { tenant_id: tenantId }, 'owner');
    for (const key of [first.token, second, first.token, second])
      expect((await get('/nothing', { key })).status).to.equal(404);
    for (const key of [first.token, second])
      expectLimited(await get('/nothing', { key }), tenantId, 4);
    expect(limitOf(await get('/nothing', { key: other.token }))).to.deep.equal(['4', '3']);
  });

  it('is separate for each client network of a public key', async () => {
    const tenant = await stack.newTenant();
    const createFrom = (address: string) =>
      stack.api.post('/charges', body, {
        key: tenant.public_key_test,
        headers: { 'x-forwarded-for': address },
      });
    const twice = ['203.0.113.7', '203.0.113.8', '2001:db8:0:1::1', '2001:db8:0:2::1'];
    for (const address of twice)
      expect(limitOf(await createFrom(address)), address).to.deep.equal(['2', '1']);
    for (const address of ['203.0.113.7', '::ffff:203.0.113.8', '2001:db8:0:1:ffff::2']) {
      expect((await createFrom(address)).status, address).to.equal(201);
      expectLimited(await createFrom(address), tenant.tenant_id, 2);
    }
    expect((await createFrom('2001:db8:0:2::2')).status).to.equal(201);
  });
});

async function anotherToken({ sql }: Stack, { familyId }: SignedIn): Promise<string> {
  const token = newUserToken('access');
  await sql`insert into user_tokens (sha256, family_id, kind, mode, created_at, expires_at)
    select ${sha256Of(token)}, family_id, kind, mode, created_at, expires_at
    from user_tokens where family_id = ${familyId}`;
  return token;
}
