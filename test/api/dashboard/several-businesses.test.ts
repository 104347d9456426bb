import { expect } from 'chai';
import { rateLimits } from '../../../config/limits/rate-limits.ts';
import { newPasswordHash } from '../../../domain/accounts/member/member-passwords.ts';
import { inviteMember } from '../../../domain/accounts/member/members.ts';
import { MINUTE } from '../../support/clock.ts';
import { expectRefused } from '../../support/contract.ts';
import { dashboardBrowser } from '../../support/dashboard.ts';
import { memberOf } from '../../support/members.ts';
import { cheapPasswords } from '../../support/passwords.ts';
import { type TestTenant, useStack } from '../../support/stack.ts';
import { statusWith } from '../../support/tokens.ts';

const PASSWORD = 'correct horse battery';
const OTHER = 'another one entirely';
const FAILURES = 3;
const few = {
  ...rateLimits,
  signInAccount: { ...rateLimits.signInAccount, points: FAILURES },
  signInAddress: { ...rateLimits.signInAddress, points: 1_000 },
};

describe('A person who belongs to several businesses with one e-mail address', () => {
  const stack = useStack({ workers: false, env: { trustProxy: 'loopback', rateLimits: few } });
  let tenants: TestTenant[];
  let email: string;
  let tests = 0;
  beforeEach(async () => {
    tests += 1;
    email = `accountant-${tests}@test.example`;
    tenants = [await stack.newTenant(), await stack.newTenant(), await stack.newTenant()];
    for (const [n, { tenant_id }] of tenants.entries())
      await stack.sql`update tenants set name = ${`Business ${n}`} where id = ${tenant_id}`;
  });

  async function join(tenant: TestTenant, password: string): Promise<string> {
    const { memberId } = await memberOf(stack, tenant, 'owner');
    const by = { tenantId: tenant.tenant_id, memberId };
    const row = await stack.context.inTx((tx) =>
      inviteMember(tx, by, { email, name: null, role: 'viewer' }),
    );
    await setPassword(row.id, password);
    return row.id;
  }
  async function setPassword(id: string, password: string): Promise<void> {
    const hash = await newPasswordHash(stack.context.db, email, password, cheapPasswords);
    await stack.sql`update members set password_hash = ${hash} where id = ${id}`;
  }

  const headers = (n = 1) => ({ 'x-forwarded-for': `10.2.${tests}.${n}` });
  const newBrowser = () => dashboardBrowser(stack.context.env.publicUrl);
  const give = (password: string, n = 1, browser = newBrowser()) =>
    browser.post('/sign-in', { email, password }, headers(n));
  const token = (password: string, more: object = {}) =>
    stack.api.post('/auth/token', { email, password, mode: 'test', ...more }, { key: null });

  it('signs in to the one whose password it is, without being asked', async () => {
    await join(tenants[0]!, PASSWORD);
    await join(tenants[1]!, OTHER);
    for (const [password, name] of [
      [PASSWORD, 'Business 0'],
      [OTHER, 'Business 1'],
    ] as const) {
      const browser = newBrowser();
      expect((await give(password, 1, browser)).location).to.equal('/');
      expect((await browser.get('/transactions')).html).to.include(name);
    }
    expectRefused(await token('neither of them'), 'unauthorized');
    expect(await statusWith(stack, (await token(OTHER)).json.access_token)).to.equal(404);
  });

  it('chooses among those whose password it is, and sees no other', async () => {
    await join(tenants[0]!, PASSWORD);
    await join(tenants[1]!, PASSWORD);
    await join(tenants[2]!, OTHER);
    const browser = newBrowser();
    expect((await give(PASSWORD, 1, browser)).location).to.equal('/sign-in/business');
    expect((await browser.get('/transactions')).status, 'before the choice').to.equal(303);
    const { html } = await browser.get('/sign-in/business');
    expect(html).to.include('Business 0').and.include('Business 1').and.not.include('Business 2');
    const foreign = await browser.post('/sign-in/business', { business: tenants[2]!.tenant_id });
    expect(foreign.location).to.equal('/sign-in');
    const chosen = await browser.submit('/sign-in/business', { business: tenants[1]!.tenant_id });
    expect(chosen.location).to.equal('/');
    expect((await browser.get('/transactions')).html).to.include('Business 1');
    expect((await browser.get('/sign-in/business')).location, 'again').to.equal('/sign-in');
  });

  it('chooses within five minutes, with the password as it is then', async () => {
    await join(tenants[0]!, PASSWORD);
    const changed = await join(tenants[1]!, PASSWORD);
    const browser = newBrowser();
    await give(PASSWORD, 1, browser);
    expect(browser.cookies.get('local-choice')!).not.to.include(changed);
    await setPassword(changed, OTHER);
    const choose = (n: number) =>
      browser.post('/sign-in/business', { business: tenants[n]!.tenant_id });
    expect((await choose(1)).location, 'a changed password').to.equal('/sign-in');
    stack.clock.advance(5 * MINUTE);
    expect((await choose(0)).location, 'too late').to.equal('/sign-in');
    for (const forged of ['x', 'test.AAAA']) {
      browser.cookies.set('local-choice', forged);
      expect((await choose(0)).location, forged).to.equal('/sign-in');
    }
  });

  it('says which business an app signs in to, where the password is right for several', async () => {
    await join(tenants[0]!, PASSWORD);
    await join(tenants[1]!, PASSWORD);
    const [first, second, third] = tenants.map(({ tenant_id }) => tenant_id);
    await join(tenants[2]!, OTHER);
    const asked = await token(PASSWORD);
    expectRefused(asked, 'validation_failed', ['tenant_id']);
    const message = asked.json.error.fields.tenant_id;
    expect(message).to.include(first).and.include(second).and.not.include(third);
    for (const tenant_id of [first, second])
      expect((await token(PASSWORD, { tenant_id })).status).to.equal(200);
    expectRefused(await token(PASSWORD, { tenant_id: third }), 'unauthorized');
  });

  it('is hashed once, whatever the number of businesses: the salt is the same', async () => {
    await join(tenants[0]!, PASSWORD);
    await join(tenants[1]!, OTHER);
    const rows = await stack.sql<{ password_hash: string }>`select password_hash from members
      where email = ${email}`;
    const salts = rows.map(({ password_hash: hash }) => hash.split('$').slice(0, 5).join('$'));
    expect(new Set(salts)).to.have.lengthOf(1);
  });

  it('is guessed no faster by whoever has an account with the same address elsewhere', async () => {
    const mine = await join(tenants[0]!, 'mine');
    await join(tenants[1]!, PASSWORD);
    const attacker = newBrowser();
    const guess = async (password: string) => {
      await setPassword(mine, password);
      return (await give(password, 1, attacker)).location;
    };
    for (let n = 0; n < FAILURES; n++) expect(await guess(`guess ${n}`)).to.equal('/');
    // The right password of the other business is not looked at any more.
    expect(await guess(PASSWORD)).to.equal('/');
    expect((await give(PASSWORD, 2)).location, 'elsewhere').to.equal('/sign-in/business');
  });
});
