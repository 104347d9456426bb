import { expect } from 'chai';
import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import type { Form } from '../../../api/dashboard/request.ts';
import { views } from '../../../api/dashboard/views.ts';
import { colourRules, receivedBy, violationsOf } from '../../support/axe.ts';
import { fits, PHONE, WIDE } from '../../support/browser.ts';
import { newCharge, putCharge } from '../../support/charges.ts';
import { filledPath, isLiveOnly, rowsOfEachKind, shownAt } from '../../support/dashboard-rows.ts';
import type { Stack } from '../../support/stack.ts';
import { focused, press, useDashboard } from './fixture.ts';

/** Whatever else a rule says, it says at every width and in both themes. */
const lookRules = [
  ...colourRules,
  'scrollable-region-focusable',
  ...['target-size', 'label', 'label-title-only', 'label-content-name-mismatch'],
];

const looks = [
  { viewport: WIDE, theme: 'light', rules: undefined },
  { viewport: PHONE, theme: 'dark', rules: lookRules },
] as const;

const otherLooks = [
  { viewport: PHONE, theme: 'light', rules: undefined },
  { viewport: WIDE, theme: 'dark', rules: lookRules },
] as const;

/** Tables that must be scrolled, and cells without the heading that their column has. */
const OFF_SCREEN = `[...document.querySelectorAll('.table-responsive')].filter((region) =>
  region.scrollWidth > region.clientWidth ||
  [...region.querySelectorAll('thead th')].some((heading, n) => !heading.firstElementChild &&
    [...region.querySelectorAll('tbody tr')].some(({ cells }) => cells.length > n &&
      cells[0].colSpan === 1 && cells[n].dataset.label !== heading.textContent)),
).map((region) => region.getAttribute('aria-label'))`;

/** Buttons with more than fits into them. */
const OVERFLOWING = `[...document.querySelectorAll('.btn')].filter((button) =>
  button.scrollWidth > button.clientWidth + 1).map((button) => button.textContent)`;

const LONG = 'adaeze.oluwaseun.chukwuemeka.okonkwo-adebayo.the.third'.repeat(4).slice(0, 200);

async function addEverything(stack: Stack): Promise<Record<string, string>> {
  const charge = {
    email: `${'x'.repeat(60)}@${'subdomain.'.repeat(6)}example.com`,
    name: LONG.slice(0, 100),
    reference: LONG.slice(0, 100),
    metadata: { [LONG.slice(0, 40)]: LONG },
  };
  const texts = { charge, reason: LONG, description: LONG, evidence: { text: LONG } };
  const ids = await rowsOfEachKind(stack, texts);
  await stack.sql`update charges set failure_message = ${LONG}`;
  await stack.sql`update refunds set failure_message = ${LONG}, attention = ${LONG}`;
  await stack.sql`update connections set credentials_refused_at = ${stack.clock()}`;
  await stack.sql`update members set totp_enrolled_at = ${stack.clock()} where id = ${ids['members id']!}`;
  return ids;
}

const isAskedOfAll = (form: Form) =>
  form.ask && !form.path.startsWith('/account/') && !isLiveOnly(form);

describe('Every view of the dashboard', function () {
  this.timeout(180_000); // a walk grows with each view
  const { stack, at, newPage, pageOf } = useDashboard({ workers: false });

  async function expectUsable(
    page: Page,
    name: string,
    seen: readonly (typeof looks | typeof otherLooks)[number][] = looks,
  ): Promise<void> {
    for (const { viewport, theme, rules } of seen) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.locator(`html[data-bs-theme=${theme}]`).waitFor();
      const look = `${name} at ${viewport.width} px, ${theme}`;
      expect(await violationsOf(page, rules), look).to.deep.equal([]);
      expect(await fits(page), `${look}: nothing is too wide`).to.equal(true);
      if (viewport === PHONE) expect(await page.evaluate(OFF_SCREEN), look).to.deep.equal([]);
      expect(await page.evaluate(OVERFLOWING), `${look}: labels`).to.deep.equal([]);
    }
  }

  it('is accessible and light, wide and narrow, with texts of any length', async () => {
    const ids = await addEverything(stack);
    const page = await pageOf('owner', '/');
    const received = await receivedBy(page);
    await (await page.context().newCDPSession(page)).send('Network.clearBrowserCache');
    const weights: Record<string, number> = {};
    for (const view of views) {
      const before = received();
      await page.goto(at(filledPath(view.path, ids)));
      await expectUsable(page, view.path);
      weights[view.path] = received() - before;
    }
    await page.goto(at('/search?q=500'));
    await page.getByRole('heading', { name: 'Transactions of ₦500.00' }).waitFor();
    await expectUsable(page, 'what a search found');
    await expectUsable(page, 'what surrounds every view', otherLooks);
    const [first, ...later] = Object.values(weights);
    expect(first, 'with an empty cache').to.be.within(50_000, 150_000);
    expect(Math.max(...later), JSON.stringify(weights)).to.be.lessThan(20_000);
  });

  it('asks in a dialog that the keyboard opens, leaves and comes back from, wide and narrow', async () => {
    const ids = await addEverything(stack);
    const page = await pageOf('owner', '/');
    const dialog = page.getByRole('dialog');
    for (const view of views)
      for (const { path } of view.forms.filter(isAskedOfAll)) {
        await page.setViewportSize(WIDE);
        await page.goto(at(shownAt(view, path, ids)));
        const opener = page.locator(`form[hx-get$="${filledPath(path, ids)}"] button`);
        await opener.press('Enter');
        await dialog.waitFor();
        await page.locator('dialog h2:focus').waitFor();
        await expectUsable(page, `the dialog ${path}`);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'hidden' });
        expect(await opener.evaluate('document.activeElement.form?.action')).to.include(
          filledPath(path, ids),
        );
      }
    await page.goto(at(filledPath('/refunds/:id/approve', ids)));
    await expectUsable(page, 'a question on its own page');
    await page.getByRole('link', { name: 'Go back' }).click();
    await page.getByRole('heading', { name: 'Refunds' }).waitFor();
  });

  it('is accessible too where it answers a form: a new secret, what is wrong, an authenticator', async () => {
    const page = await pageOf('owner', '/developers/keys/new');
    await page.getByLabel('Public, for your web pages').check();
    await expectUsable(page, 'the fields of a public key');
    await page.getByLabel('Secret, for your server').check();
    await page.getByLabel('Name').fill('Web');
    await press(page, 'Create key');
    await page.getByText(/^svc_sk_test_/).waitFor();
    await expectUsable(page, 'a new key');

    const charge = await newCharge(stack, {});
    await putCharge(stack, charge, 'succeeded');
    await page.goto(at(`/transactions/${charge.reference}`));
    await press(page, 'Request refund');
    await page.getByLabel('Amount in naira').fill('a lot');
    await page.getByLabel('Reason').fill('Wrong size');
    await press(page, 'Confirm');
    await page.getByText('Amount in naira must be').first().waitFor();
    expect(await page.getByLabel('Reason').inputValue()).to.equal('Wrong size');
    await expectUsable(page, 'a refused form');

    await page.goto(at('/account'));
    await press(page, 'Set up an authenticator');
    const secret = await page.getByText(/^[A-Z2-7]{16,}$/).innerText();
    await expectUsable(page, 'a new authenticator');
    const epoch = Math.floor(stack.clock().getTime() / 1_000);
    await page.getByLabel('Authentication code').fill(generateSync({ secret, epoch }));
    await press(page, 'Confirm');
    await page.getByText('Keep these recovery codes').waitFor();
    await expectUsable(page, 'recovery codes');
  });

  it('leads to the sign-in, and asks which business a password is meant for, where it is right for two', async () => {
    const { email, password } = stack.tenant.owner;
    const other = await stack.newTenant({ connected: false });
    await stack.sql`update members set email = ${email}, password_hash = (
      select password_hash from members where email = ${email}) where email = ${other.owner.email}`;
    const name = 'A business with a name as long as it may be, and a word without any blank ';
    await stack.sql`update tenants set name = ${name.padEnd(100, 'x')} where id = ${other.tenant_id}`;
    const page = await newPage();
    await page.goto(at('/refunds'));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectUsable(page, 'the sign-in');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await press(page, 'Sign in');
    await page.getByRole('heading', { name: 'Choose a business' }).waitFor();
    await expectUsable(page, 'the choice of a business');
    await press(page, 'A business with');
    await page.getByRole('heading', { name: 'Refunds' }).waitFor();
  });

  it('is reached by keyboard through the menu of a phone', async () => {
    const page = await pageOf('owner', '/', { viewport: PHONE });
    await page.keyboard.press('Tab');
    expect(await focused(page)).to.equal('Skip to the content');
    await page.keyboard.press('Tab');
    expect(await focused(page)).to.match(/^Menu of/);
    await page.keyboard.press('Enter');
    while ((await focused(page)) !== 'Refunds') await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Refunds' }).waitFor();
  });
});
