import { expect } from 'chai';
import { generateSync } from 'otplib';
import { rateLimits } from '../../../config/rate-limits.ts';
import { DAY, MINUTE } from '../../support/clock.ts';
import { type DashboardBrowser, dashboardBrowser, type Page } from '../../support/dashboard.ts';
import { enrolAuthenticator } from '../../support/dashboard-authenticator.ts';
import {
  expectNoLeaks,
  generousLimits,
  type Stack,
  startStack,
  type TestTenant,
} from '../../support/stack.ts';

const FAILURES = 3;
const DEVICE = 'local-device';

/** Fewer failures than in production: each costs a slow hash. */
const few = {
  ...rateLimits,
  signInAccount: { ...rateLimits.signInAccount, points: FAILURES },
  signInAddress: { ...rateLimits.signInAddress, points: 1_000 },
  authenticationCode: { ...rateLimits.authenticationCode, points: FAILURES },
};

describe('Failed sign-ins to the dashboard', () => {
  let stack: Stack;
  let tenant: TestTenant;
  let tests = 0;
  before(async () => {
    stack = await startStack({ workers: false, env: { trustProxy: 'loopback', rateLimits: few } });
  });
  after(() => stack[Symbol.asyncDispose]());
  beforeEach(async () => {
    tests += 1;
    tenant = await stack.newTenant();
  });
  afterEach(() => expectNoLeaks(stack));

  const newBrowser = () => dashboardBrowser(stack.context.env.publicUrl);
  const networkOf = (n: number) => ({ 'x-forwarded-for': `10.1.${tests}.${n}` });
  const give = (browser: DashboardBrowser, n: number, who = tenant.owner): Promise<Page> =>
    browser.post('/sign-in', who, networkOf(n));
  const wrong = () => ({ ...tenant.owner, password: 'guessed' });

  /** Uses up what this browser may guess from a network. */
  async function useUp(browser: DashboardBrowser, n: number): Promise<void> {
    for (let guess = 0; guess < FAILURES; guess++)
      expect((await give(browser, n, wrong())).status).to.equal(401);
    expect((await give(browser, n)).status, 'the right password').to.equal(429);
  }

  it('are counted by account and network, and lock nobody out elsewhere', async () => {
    await useUp(newBrowser(), 1);
    expect((await give(newBrowser(), 2)).status).to.equal(303);
    expect((await give(newBrowser(), 1)).status).to.equal(429);
  });

  it('lock out no browser that signed this account in before, on the same network either', async () => {
    const known = newBrowser();
    expect((await give(known, 1)).status).to.equal(303);
    await useUp(newBrowser(), 1);
    expect((await give(known, 1)).status).to.equal(303);
  });

  it('are limited for such a browser too, from wherever it comes', async () => {
    const known = newBrowser();
    await give(known, 1);
    for (let n = 1; n <= FAILURES; n++)
      expect((await give(known, n, wrong())).status).to.equal(401);
    expect((await give(known, 9)).status).to.equal(429);
    expect((await give(newBrowser(), 9)).status, 'another browser').to.equal(303);
  });

  it('are counted by network with a cookie of another account, or of nobody', async () => {
    const stranger = newBrowser();
    expect((await give(stranger, 1, (await stack.newTenant()).owner)).status).to.equal(303);
    await useUp(stranger, 2);
    expect((await give(newBrowser(), 2)).status).to.equal(429);
    for (const value of ['x', 'test.AAAA', 'a'.repeat(3_000)]) {
      stranger.cookies.set(DEVICE, value);
      expect((await give(stranger, 2)).status, value.slice(0, 10)).to.equal(429);
    }
  });

  it('remember a browser for 90 days, and nothing readable about its member', async () => {
    const known = newBrowser();
    const cookie = (await give(known, 1)).headers
      .getSetCookie()
      .find((one) => one.startsWith(DEVICE));
    expect(cookie).to.match(/; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(decodeURIComponent(cookie!)).not.to.include(tenant.owner.email);
    await useUp(newBrowser(), 1);
    stack.clock.advance(90 * DAY - MINUTE);
    const kept = known.cookies.get(DEVICE)!;
    expect((await give(known, 1)).status, 'within 90 days').to.equal(303);
    known.cookies.set(DEVICE, kept);
    stack.clock.advance(2 * MINUTE);
    expect((await give(known, 1)).status, 'after 90 days').to.equal(429);
  });

  it('count wrong authentication codes by member, from wherever they come', async () => {
    const owner = newBrowser();
    await give(owner, 1);
    const { secret } = await enrolAuthenticator(stack, owner);
    stack.clock.advance(MINUTE);
    const codeNow = () =>
      generateSync({ secret, epoch: Math.floor(stack.clock().getTime() / 1_000) });
    const next = newBrowser();
    const page = await give(next, 2);
    expect(page.location).to.equal('/sign-in/code');
    expect(next.cookies.has(DEVICE), 'remembered before the code').to.equal(false);
    await next.get('/sign-in/code');
    for (let guess = 0; guess < FAILURES; guess++)
      expect((await next.submit('/sign-in/code', { code: '000000' })).status).to.equal(401);
    const refused = await next.submit('/sign-in/code', { code: codeNow() });
    expect(refused.status).to.equal(429);
    const other = await give(newBrowser(), 3, (await stack.newTenant()).owner);
    expect(other.status, 'another member').to.equal(303);
  });
});

describe('A network that used up its sign-ins to the dashboard', () => {
  it('leaves browsers that signed in before alone', async () => {
    const rateLimits = { ...generousLimits, signInAddress: { points: 3, windowMs: 15 * MINUTE } };
    await using stack = await startStack({ workers: false, env: { rateLimits } });
    const { owner } = stack.tenant;
    const [known, stranger] = [1, 2].map(() => dashboardBrowser(stack.context.env.publicUrl));
    expect((await known!.signIn(owner)).status).to.equal(303);
    for (let n = 1; n <= 3; n++) {
      const page = await stranger!.signIn({ email: `none${n}@shop.example`, password: 'wrong' });
      expect(page.status).to.equal(401);
    }
    expect((await stranger!.signIn(owner)).status).to.equal(429);
    expect((await known!.signIn(owner)).status).to.equal(303);
  });
});
