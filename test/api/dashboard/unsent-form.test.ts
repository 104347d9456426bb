import { expect } from 'chai';
import { newId } from '../../../domain/shared/ids.ts';
import { newCharge, putCharge } from '../../support/charges.ts';
import { HOUR, MINUTE } from '../../support/clock.ts';
import { connect } from '../../support/connect.ts';
import { csrfOf, type DashboardBrowser, dashboardBrowser } from '../../support/dashboard.ts';
import { unescaped } from '../../support/html.ts';
import { useStack } from '../../support/stack.ts';

const COOKIE = 'local-unsent-form';
const TOLD = 'Your session had ended, so nothing was sent.';

describe('A form that meets an ended session', () => {
  const stack = useStack({ workers: false, newTenants: true });
  let browser: DashboardBrowser;
  let reference: string;
  beforeEach(async () => {
    browser = await signedIn();
    const charge = await newCharge(stack);
    await putCharge(stack, charge, 'succeeded');
    reference = charge.reference;
  });

  async function signedIn(): Promise<DashboardBrowser> {
    const browser = dashboardBrowser(stack.context.env.publicUrl);
    expect((await browser.signIn(stack.tenant.owner)).location).to.equal('/');
    return browser;
  }

  const typed = { amount: '12.50', reason: 'It did “not” fit.' };
  const refund = () => `/transactions/${reference}`;

  /** Sends the form an hour too late, and signs in where that leads. */
  async function sendLate(path = `${refund()}/refund`, fields: Record<string, string> = typed) {
    const csrf = csrfOf(browser);
    stack.clock.advance(3 * HOUR);
    const sent = await browser.post(path, { csrf, idempotency_key: 'k', ...fields });
    expect(sent.status).to.equal(303);
    expect(sent.location).to.match(/^\/sign-in/);
    await browser.get(sent.location!);
    return (await browser.submit('/sign-in', stack.tenant.owner)).location!;
  }

  const filledWith = (html: string, name: string) =>
    unescaped(new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(html)![1]!);

  it('comes back filled after the sign-in, once, and is sent by nobody but its member', async () => {
    const next = await sendLate();
    expect(next).to.equal(`${refund()}/refund?mode=test`);
    const { html, status } = await browser.get(next);
    expect(status).to.equal(200);
    expect(html).to.include(TOLD);
    for (const [name, value] of Object.entries(typed))
      expect(filledWith(html, name)).to.equal(value);
    expect(await stack.count(`refunds where tenant_id = '${stack.tenant.tenant_id}'`)).to.equal(0);

    const again = await browser.submit(`${refund()}/refund`, typed);
    expect(again.location, again.html).to.equal(refund());
    expect((await browser.get(next)).html, 'a reload').not.to.include(TOLD);
  });

  it('comes back in the mode that it was for', async () => {
    await connect(stack, stack.tenant.tenant_id, { mode: 'live' });
    const next = await sendLate();
    expect((await browser.get(next)).html, 'in live mode').to.include('Switch to test mode?');
    const { location } = await browser.submit('/mode');
    expect((await browser.get(location!)).html)
      .to.include(TOLD)
      .and.include('Test mode: no real money');
  });

  it('keeps no secret, nothing that is too long, and nothing that another site sends', async () => {
    const secrets = { provider: 'provider_a', secret_key: 'sk_test_typed' };
    await sendLate('/providers', secrets);
    expect(browser.cookies.has(COOKIE), 'credentials').to.equal(false);
    const passwords = { password: 'the present one', new_password: 'a new one of mine' };
    await sendLate('/account/password', passwords);
    expect(browser.cookies.has(COOKIE), 'passwords').to.equal(false);
    await sendLate(`${refund()}/refund`, { ...typed, reason: 'x'.repeat(4_000) });
    expect(browser.cookies.has(COOKIE), 'too long').to.equal(false);
    await sendLate(`${refund()}/refund`, { ...typed, csrf: 'forged' });
    expect(browser.cookies.has(COOKIE), 'forged').to.equal(false);
  });

  it('is shown to nobody else who signs in, and to nobody after a while', async () => {
    const next = await sendLate();
    const kept = browser.cookies.get(COOKIE)!;
    expect(kept).not.to.include('fit');
    const other = dashboardBrowser(stack.context.env.publicUrl);
    await other.signIn(await colleague());
    other.cookies.set(COOKIE, kept);
    expect((await other.get(next)).html).not.to.include(TOLD);
    stack.clock.advance(16 * MINUTE);
    expect((await browser.get(next)).html).not.to.include(TOLD);
  });

  /** Another member, with the Owner's password. */
  async function colleague() {
    const { email, password } = stack.tenant.owner;
    const other = `colleague-${email}`;
    await stack.sql`insert into members (id, tenant_id, email, role, password_hash, created_at)
      select ${newId('mem', stack.clock())}, tenant_id, ${other}, role, password_hash, created_at
      from members where email = ${email}`;
    return { email: other, password };
  }
});
