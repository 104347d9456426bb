import { expect } from 'chai';
import { formField } from '../../../api/dashboard/session-cookie.ts';
import { rateLimits } from '../../../config/limits/rate-limits.ts';
import { DAY, MINUTE } from '../../support/clock.ts';
import { type DashboardBrowser, dashboardBrowser, type Page } from '../../support/dashboard.ts';
import { type Authenticator, enrolAuthenticator } from '../../support/dashboard-authenticator.ts';
import { useStack } from '../../support/stack.ts';

const FAILURES = 3;
const DEVICE = 'local-device';

const few = {
  ...rateLimits,
  signInAccount: { ...rateLimits.signInAccount, points: FAILURES },
  signInAddress: { ...rateLimits.signInAddress, points: 2 * FAILURES },
  authenticationCode: { ...rateLimits.authenticationCode, points: FAILURES },
  unknownDeviceCode: { ...rateLimits.unknownDeviceCode, points: 2 * FAILURES },
};

describe('Failed sign-ins to the dashboard', () => {
  const env = { trustProxy: 'loopback', rateLimits: few };
  const stack = useStack({ workers: false, env, newTenants: true });
  let tests = 0;
  beforeEach(() => {
    tests += 1;
  });

  const newBrowser = () => dashboardBrowser(stack.context.env.publicUrl);
  const networkOf = (n: number) => ({ 'x-forwarded-for': `10.1.${tests}.${n}` });
  const give = (browser: DashboardBrowser, n: number, who = stack.tenant.owner): Promise<Page> =>
    browser.post('/sign-in', who, networkOf(n));
  const wrong = () => ({ ...stack.tenant.owner, password: 'guessed' });

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

  it('that a network used up leave browsers that signed in before alone', async () => {
    const known = newBrowser();
    await give(known, 1);
    for (let n = 0; n < 2 * FAILURES; n++) {
      const nobody = { email: `none${n}@shop.example`, password: 'wrong' };
      expect((await give(newBrowser(), 1, nobody)).status).to.equal(401);
    }
    expect((await give(newBrowser(), 1)).status).to.equal(429);
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

  it('remember a browser for 90 days, with nothing readable about its member', async () => {
    const known = newBrowser();
    const cookie = (await give(known, 1)).headers
      .getSetCookie()
      .find((one) => one.startsWith(DEVICE));
    expect(cookie).to.match(/; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(decodeURIComponent(cookie!)).not.to.include(stack.tenant.owner.email);
  });

  describe('with an authenticator', () => {
    let owner: DashboardBrowser;
    let authenticator: Authenticator;
    beforeEach(async () => {
      owner = newBrowser();
      await give(owner, 1);
      authenticator = await enrolAuthenticator(stack, owner);
      stack.clock.advance(MINUTE);
    });

    const giveCode = async (browser: DashboardBrowser, n: number, code: string) => {
      expect((await give(browser, n)).location).to.equal('/sign-in/code');
      const csrf = formField(browser.cookies.get('local-session')!, 'sign-in');
      return browser.post('/sign-in/code', { code, csrf }, networkOf(n));
    };

    it('remember no browser before its code', async () => {
      const browser = newBrowser();
      await giveCode(browser, 2, '000000');
      expect(browser.cookies.has(DEVICE)).to.equal(false);
      await giveCode(browser, 2, authenticator.code());
      expect(browser.cookies.has(DEVICE)).to.equal(true);
    });

    it('count wrong codes by member and network, and lock nobody out elsewhere', async () => {
      const stranger = newBrowser();
      for (let guess = 0; guess < FAILURES; guess++)
        expect((await giveCode(stranger, 2, '000000')).status).to.equal(401);
      expect((await giveCode(newBrowser(), 2, authenticator.code())).status).to.equal(429);
      expect((await giveCode(owner, 2, authenticator.code())).status, 'known').to.equal(303);
      stack.clock.advance(MINUTE);
      expect((await giveCode(newBrowser(), 3, authenticator.code())).status).to.equal(303);
    });

    it('bound guesses from any number of networks, but for known browsers and recovery codes', async () => {
      for (let n = 0; n < 2 * FAILURES; n++)
        expect((await giveCode(newBrowser(), 10 + n, '000000')).status).to.equal(401);
      const refused = await giveCode(newBrowser(), 50, authenticator.code());
      expect(refused.status).to.equal(429);
      expect(refused.html).to.include('Use one of your recovery codes');
      expect((await giveCode(owner, 51, authenticator.code())).status, 'known').to.equal(303);
      const [recoveryCode] = authenticator.recoveryCodes;
      expect((await giveCode(newBrowser(), 52, recoveryCode!)).status).to.equal(303);
    });
  });

  it('allow 100 guesses of a code in a day from devices that never signed in', () => {
    expect(rateLimits).to.deep.include({
      authenticationCode: { points: 10, windowMs: 15 * MINUTE },
      unknownDeviceCode: { points: 100, windowMs: DAY },
    });
  });
});
