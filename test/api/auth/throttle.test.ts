import { expect } from 'chai';
import { rateLimits } from '../../../config/limits/rate-limits.ts';
import type { Answer } from '../../support/api.ts';
import { expectContractHeaders, expectRefused } from '../../support/contract.ts';
import { type Stack, useStack } from '../../support/stack.ts';
import { refresh, revoke, signIn, trySignIn } from '../../support/tokens.ts';

const ACCOUNT_FAILURES = 3;
const ADDRESS_FAILURES = 8;
const fewFailures = {
  ...rateLimits,
  signInAccount: { ...rateLimits.signInAccount, points: ACCOUNT_FAILURES },
  signInAddress: { ...rateLimits.signInAddress, points: ADDRESS_FAILURES },
};

describe('Failed sign-ins', () => {
  it('are limited to ten for an account from a network, and fifty for a network, in a quarter of an hour', () => {
    const windowMs = 900_000;
    expect(rateLimits).to.deep.include({
      signInAccount: { points: 10, windowMs },
      signInAddress: { points: 50, windowMs },
    });
  });

  const stack = useStack({
    workers: false,
    env: { trustProxy: 'loopback', rateLimits: fewFailures },
  });
  let owner: { email: string; password: string };
  let tests = 0;
  beforeEach(async () => {
    tests += 1;
    owner = (await stack.newTenant()).owner;
  });

  /** A caller at an address, as the proxy in front states it. Each test has addresses of its own. */
  const at = (n: number): Pick<Stack, 'api'> => {
    const headers = { 'x-forwarded-for': `10.0.${tests}.${n}` };
    return {
      api: {
        ...stack.api,
        post: (path, body, options) => stack.api.post(path, body, { ...options, headers }),
      },
    };
  };
  const from = (n: number, who: { email: string; password: string }) => trySignIn(at(n), who);
  const HOME = 200;

  const expectThrottled = (answer: Answer) => {
    expectRefused(answer, 'rate_limited');
    expectContractHeaders(answer, null);
    expect(Number(answer.headers.get('retry-after'))).to.be.within(800, 900);
  };

  for (const [title, emailOf] of [
    ['a known account', () => owner.email],
    ['an unknown one', () => 'nobody@test.example'],
  ] as const) {
    it(`are throttled beyond the limit of ${title} from a network, with any password, and not elsewhere`, async () => {
      const guess = (n: number, password = 'guessed') =>
        from(HOME, { email: n % 2 ? emailOf() : emailOf().toUpperCase(), password });
      for (let n = 0; n < ACCOUNT_FAILURES; n++) expectRefused(await guess(n), 'unauthorized');
      expectThrottled(await guess(10));
      expectThrottled(await guess(11, owner.password));
      await signIn(at(1), owner);
    });
  }

  it('do not count for their address when the account is throttled already', async () => {
    for (let n = 0; n < 2 * ADDRESS_FAILURES; n++)
      await from(HOME, { ...owner, password: 'guessed' });
    await signIn(at(HOME), (await stack.newTenant()).owner);
  });

  it('are throttled beyond the limit of an address, and of no other', async () => {
    const failed = await Promise.all(
      Array.from({ length: ADDRESS_FAILURES }, (_, n) => refresh(at(HOME), `hrt_${n}`)),
    );
    expect(new Set(failed.map(({ status }) => status))).to.deep.equal(new Set([401]));
    for (let n = 0; n <= ACCOUNT_FAILURES; n++) expectThrottled(await from(HOME, owner));
    expect((await from(1, owner)).status).to.equal(200);
  });

  it('include unknown refresh tokens, refreshed or revoked, which count for their address; valid ones still work', async () => {
    const pair = await signIn(at(HOME), owner);
    for (let n = 0; n < ADDRESS_FAILURES / 2; n++) {
      expectRefused(await refresh(at(HOME), `hrt_${n}`), 'unauthorized');
      expect((await revoke(at(HOME), `hrt_${n}`)).status).to.equal(200);
    }
    expectThrottled(await refresh(at(HOME), 'hrt_x'));
    expectThrottled(await revoke(at(HOME), 'hrt_x'));
    const next = await refresh(at(HOME), pair.refresh_token);
    expect(next.status).to.equal(200);
    expect((await revoke(at(HOME), next.json.refresh_token)).status).to.equal(200);
  });
});
