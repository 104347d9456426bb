import { expect } from 'chai';
import { MINUTE, SECOND } from '../../support/clock.ts';
import { type DashboardBrowser, dashboardBrowser } from '../../support/dashboard.ts';
import { type Authenticator, enrolAtSignIn } from '../../support/dashboard-authenticator.ts';
import { useStack } from '../../support/stack.ts';

const COOKIE = 'local-session';

describe('Signing in to the dashboard', () => {
  const stack = useStack({ workers: false, env: { trustProxy: 'loopback' }, newTenants: true });
  let browser: DashboardBrowser;
  beforeEach(async () => {
    browser = newBrowser();
  });

  const newBrowser = () => dashboardBrowser(stack.context.env.publicUrl);
  const isSignedIn = async (who = browser) => (await who.get('/transactions')).status === 200;

  describe('with a password', () => {
    it('leads to the dashboard, and shows the business and the member', async () => {
      const page = await browser.signIn(stack.tenant.owner);
      expect([page.status, page.location]).to.deep.equal([303, '/']);
      const { html } = await browser.get('/transactions');
      expect(html).to.include(stack.tenant.owner.email).and.to.include('Transactions');
    });

    it('sets a cookie that scripts and other sites cannot use, nor other hosts', async () => {
      const https = { 'x-forwarded-proto': 'https' };
      for (const [page, pattern] of [
        [
          await browser.post('/sign-in', stack.tenant.owner, https),
          /^__Host-session=[0-9a-z]{40}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
        ],
        [
          await newBrowser().signIn(stack.tenant.owner), // every browser takes it on localhost
          /^local-session=[0-9a-z]{40}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
        ],
      ] as const)
        expect(page.headers.getSetCookie()[0]).to.match(pattern);
    });

    it('stores the hash of the cookie only', async () => {
      await browser.signIn(stack.tenant.owner);
      const rows = await stack.sql`select * from dashboard_sessions`;
      expect(JSON.stringify(rows)).not.to.include(browser.cookies.get(COOKIE));
    });

    it('gives every sign-in a cookie of its own, whatever was sent with it (session fixation)', async () => {
      const fixed = 'a'.repeat(40);
      browser.cookies.set(COOKIE, fixed);
      await browser.signIn(stack.tenant.owner);
      expect(browser.cookies.get(COOKIE)).not.to.equal(fixed);
      const attacker = newBrowser();
      attacker.cookies.set(COOKIE, fixed);
      expect(await isSignedIn(attacker)).to.equal(false);
    });

    it('answers a wrong password and an unknown address alike', async () => {
      const wrong = await browser.signIn({ ...stack.tenant.owner, password: 'not the password' });
      const unknown = await browser.signIn({ email: 'nobody@shop.example', password: 'x' });
      for (const page of [wrong, unknown]) {
        expect(page.status).to.equal(401);
        expect(page.html).to.include('The e-mail address or the password is wrong.');
      }
      expect(browser.cookies.has(COOKIE)).to.equal(false);
    });

    it('goes on to the view that was asked for, and to no other site', async () => {
      const asked = await browser.get('/transactions?status=failed');
      expect(asked.location).to.equal('/sign-in?next=%2Ftransactions%3Fstatus%3Dfailed');
      await browser.get(asked.location!);
      const page = await browser.submit('/sign-in', stack.tenant.owner);
      expect(page.location).to.equal('/transactions?status=failed');
      for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example', '/a//b']) {
        const other = await newBrowser().post('/sign-in', { ...stack.tenant.owner, next });
        expect(other.location, next).to.equal('/');
      }
    });
  });

  describe('ends', () => {
    beforeEach(() => browser.signIn(stack.tenant.owner));

    it('when the member signs out, also for a copy of the cookie', async () => {
      const copy = browser.cookies.get(COOKIE)!;
      await browser.get('/transactions');
      const page = await browser.submit('/sign-out');
      expect(page.location).to.equal('/sign-in');
      browser.cookies.set(COOKIE, copy);
      expect(await isSignedIn()).to.equal(false);
    });

    it('when the member is disabled', async () => {
      await stack.sql`update members set disabled_at = now()
        where tenant_id = ${stack.tenant.tenant_id}`;
      expect(await isSignedIn()).to.equal(false);
    });
  });

  describe('with an authenticator', () => {
    async function signInToEnrol(): Promise<void> {
      await stack.sql`update tenants set requires_second_factor = true
        where id = ${stack.tenant.tenant_id}`;
      const begun = await browser.signIn(stack.tenant.owner);
      expect(begun.location).to.equal('/sign-in/enrol');
    }
    async function enrol(): Promise<Authenticator> {
      await signInToEnrol();
      return enrolAtSignIn(stack, browser);
    }
    async function give(code: string, next = newBrowser()) {
      await next.signIn(stack.tenant.owner);
      await next.get('/sign-in/code');
      return next.submit('/sign-in/code', { code });
    }

    it('enrols it before anything is shown, where the business demands one', async () => {
      await signInToEnrol();
      expect(await isSignedIn(), 'after the password').to.equal(false);
      await browser.get('/sign-in/enrol');
      const wrong = await browser.submit('/sign-in/enrol', { code: '000000' });
      expect(wrong.status).to.equal(401);
      expect(await isSignedIn(), 'after a wrong code').to.equal(false);
      await enrolAtSignIn(stack, browser);
      expect(await isSignedIn(), 'after the right one').to.equal(true);
    });

    it('asks for its code after the password, and gives the session a new cookie', async () => {
      const { code } = await enrol();
      stack.clock.advance(MINUTE);
      const next = newBrowser();
      expect((await next.signIn(stack.tenant.owner)).location).to.equal('/sign-in/code');
      const before = next.cookies.get(COOKIE)!;
      expect(await isSignedIn(next)).to.equal(false);
      await next.get('/sign-in/code');
      expect((await next.submit('/sign-in/code', { code: code() })).location).to.equal('/');
      expect(await isSignedIn(next)).to.equal(true);
      next.cookies.set(COOKIE, before);
      expect(await isSignedIn(next), 'the cookie from before the code').to.equal(false);
    });

    it('is on record and among the sessions once the code was given, and not before', async () => {
      const { code } = await enrol();
      stack.clock.advance(MINUTE);
      const sessions = async () =>
        (await browser.get('/account')).html.match(/action="[^"]*\/sessions\/[^"]*\/end"/g)?.length;
      const recorded = async () => {
        const rows = await stack.sql<{ action: string }>`select action from audit_entries
          where tenant_id = ${stack.tenant.tenant_id} and action like 'member.signed_%' order by id`;
        return rows.map(({ action }) => action);
      };
      const before = [await sessions(), await recorded()];
      const [next, left] = [newBrowser(), newBrowser()];
      await next.signIn(stack.tenant.owner);
      expect([await sessions(), await recorded()], 'the password alone').to.deep.equal(before);
      for (let time = 0; time < 2; time++) await left.signIn(stack.tenant.owner);
      expect(await recorded(), 'left before the code').to.deep.equal(before[1]);
      await next.get('/sign-in/code');
      await next.submit('/sign-in/code', { code: code() });
      expect(await recorded()).to.deep.equal(['member.signed_in', 'member.signed_in']);
      expect(await sessions()).to.equal(Number(before[0] ?? 0) + 1);
    });

    it('takes no code twice, and no wrong one', async () => {
      const { code } = await enrol();
      const next = newBrowser();
      for (const wrong of [code(), '123', 'abcdef', ''])
        expect((await give(wrong, next)).status, wrong).to.equal(401);
      stack.clock.advance(30 * SECOND);
      await next.submit('/sign-in/code', { code: code() });
      expect(await isSignedIn(next)).to.equal(true);
    });

    it('takes each recovery code once, however it is typed', async () => {
      const { recoveryCodes } = await enrol();
      for (const [code, location] of [
        [` ${recoveryCodes[0]!.toUpperCase()} `, '/'],
        [recoveryCodes[0]!, null],
        [recoveryCodes[1]!.replaceAll('-', ''), '/'],
      ] as const)
        expect((await give(code)).location, code).to.equal(location);
    });

    it('seals its secret', async () => {
      const { secret, recoveryCodes } = await enrol();
      const members = await stack.sql`select * from members`;
      const rows = JSON.stringify([members, await stack.sql`select * from recovery_codes`]);
      expect(rows).not.to.include(secret).and.not.to.include(recoveryCodes[0]);
    });
  });

  describe('refuses forms', () => {
    beforeEach(() => browser.signIn(stack.tenant.owner));

    it('that another site sent', async () => {
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ] as Record<string, string>[]) {
        const page = await browser.post('/sign-in', stack.tenant.owner, headers);
        expect(page.status, JSON.stringify(headers)).to.equal(403);
      }
    });

    it('without the field of this session', async () => {
      await browser.get('/transactions');
      const other = newBrowser();
      await other.signIn(stack.tenant.owner);
      for (const csrf of ['', 'x', `${'0'.repeat(16)}.${'0'.repeat(64)}`]) {
        expect((await browser.post('/mode', { csrf })).status).to.equal(403);
        expect((await browser.post('/sign-out', { csrf })).status).to.equal(403);
      }
      expect(await isSignedIn()).to.equal(true);
    });
  });
});
