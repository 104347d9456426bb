import { expect } from 'chai';
import { rateLimits } from '../../../config/rate-limits.ts';
import type { Answer } from '../../support/api.ts';
import { expectContractHeaders, expectError } from '../../support/contract.ts';
import { expectNoLeaks, type Stack, startStack } from '../../support/stack.ts';
import { refresh, revoke, signIn, trySignIn } from '../../support/tokens.ts';

describe('Failed sign-ins', () => {
  let stack: Stack;
  let owner: { email: string; password: string };
  beforeEach(async () => {
    stack = await startStack({ workers: false, env: { trustProxy: 'loopback', rateLimits } });
    owner = stack.tenant.owner;
  });
  afterEach(async () => {
    await expectNoLeaks(stack);
    await stack[Symbol.asyncDispose]();
  });

  /** From an address of its own, as the proxy in front says. */
  const from = (address: string, who: { email: string; password: string }) =>
    stack.api.post('/auth/token', { ...who, mode: 'test' }, { key: null, headers: { 'x-forwarded-for': address } });

  const expectThrottled = (answer: Answer) => {
    expectError(answer, 429, 'rate_limited');
    expectContractHeaders(answer, null);
    expect(Number(answer.headers.get('retry-after'))).to.be.within(800, 900);
  };

  for (const [title, emailOf] of [
    ['a known account', () => owner.email],
    ['an unknown one', () => 'nobody@test.example'],
  ] as const) {
    it(`are throttled after ten for ${title}, from wherever they come, right or wrong`, async () => {
      const guess = (n: number, password = 'guessed') =>
        from(`10.0.0.${n}`, { email: n % 2 ? emailOf() : emailOf().toUpperCase(), password });
      for (let n = 0; n < 10; n++) expectError(await guess(n), 401, 'unauthorized');
      expectThrottled(await guess(10));
      expectThrottled(await guess(11, owner.password));
    }).timeout(60_000);
  }

  it('are throttled when they come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => from(`10.0.0.${n}`, { ...owner, password: 'guessed' })));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([...Array(10).fill(401), ...Array(10).fill(429)]);
  }).timeout(60_000);

  it('leave other accounts alone', async () => {
    const other = await stack.newTenant();
    for (let n = 0; n < 11; n++) await from(`10.0.0.${n}`, { ...owner, password: 'guessed' });
    await signIn(stack, other.owner);
  }).timeout(60_000);

  it('for a throttled account do not count against the address they come from', async () => {
    for (let n = 0; n < 60; n++) await trySignIn(stack, { ...owner, password: 'guessed' });
    await signIn(stack, (await stack.newTenant()).owner);
  }).timeout(60_000);

  it('do not count when the sign-in is good', async () => {
    for (let n = 0; n < 12; n++) await signIn(stack, owner);
  }).timeout(60_000);

  it('are throttled after fifty from one address, and then lock nobody’s account', async () => {
    const failed = await Promise.all(Array.from({ length: 50 }, (_, n) => refresh(stack, `hrt_${n}`)));
    expect(new Set(failed.map(({ status }) => status))).to.deep.equal(new Set([401]));
    for (let n = 0; n < 11; n++) expectThrottled(await trySignIn(stack, owner));
    expect((await from('10.0.0.1', owner)).status).to.equal(200);
  });

  it('and refresh tokens nobody knows count for their address, whether refreshed or revoked; good ones still work', async () => {
    const pair = await signIn(stack, owner);
    for (let n = 0; n < 25; n++) {
      expectError(await refresh(stack, `hrt_${n}`), 401, 'unauthorized');
      expect((await revoke(stack, `hrt_${n}`)).status).to.equal(200);
    }
    expectThrottled(await refresh(stack, 'hrt_x'));
    expectThrottled(await revoke(stack, 'hrt_x'));
    const next = await refresh(stack, pair.refresh_token);
    expect(next.status).to.equal(200);
    expect((await revoke(stack, next.json.refresh_token)).status).to.equal(200);
  });
});
