import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { violationsOf } from '../support/axe.ts';
import { complaintsOf, fits, PHONE, useBrowserStack, WIDE } from '../support/browser.ts';

describe('A developer with a browser', () => {
  const stack = useBrowserStack();

  let page: Page;
  beforeEach(async () => {
    page = await stack.browser.newPage({ viewport: WIDE });
  });
  afterEach(() => page?.context().close());

  const open = (path: string) => page.goto(`${stack.origin}${path}`);
  const shown = () => page.locator('.sample:visible figcaption').first().innerText();

  it('reads every page on a wide screen and on a phone, and nothing is missing or too wide', async () => {
    const complaints = complaintsOf(page);
    for (const path of [
      '/docs',
      '/docs/webhooks',
      '/docs/quickstart',
      '/docs/example-shop',
      '/docs/checkout',
      '/docs/testing',
      '/docs/statuses',
      '/docs/assistants',
      '/docs/going-live',
      '/docs/changes',
      '/docs/charges',
      '/docs/transactions',
      '/docs/nothing',
    ]) {
      await open(path);
      for (const viewport of [WIDE, PHONE]) {
        await page.setViewportSize(viewport); // no page has a script that minds: sizes differ in style alone
        expect(await fits(page), `${path} at ${viewport.width} px`).to.equal(true);
      }
      expect(
        complaints.filter((complaint) => !(path === '/docs/nothing' && complaint.includes('404'))),
        path,
      ).to.deep.equal([]);
    }
  });

  it('chooses a language with the keyboard alone, and sees one at a time', async () => {
    await open('/docs/charges');
    expect(await shown()).to.equal('curl');
    await page.getByRole('radio', { name: 'curl' }).focus();
    for (const language of ['Node', 'Python', 'PHP', 'curl', 'Node']) {
      await page.keyboard.press('ArrowRight');
      expect(await shown()).to.equal(language);
      const captions = await page.locator('.sample:visible figcaption').allInnerTexts();
      expect(new Set(captions)).to.deep.equal(new Set([language]));
    }
  });

  it('reaches the page, the search and the languages by Tab', async () => {
    await open('/docs');
    const focused = () =>
      page.evaluate(
        'document.activeElement.id || document.activeElement.ariaLabel || ' +
          'document.activeElement.textContent.trim().split("\\n")[0]',
      );
    const seen: unknown[] = [];
    for (let press = 0; press < 4; press++) {
      await page.keyboard.press('Tab');
      seen.push(await focused());
    }
    const search = 'Search these pages';
    const order = ['Skip to the content', 'Payment Collection API v1', search, 'in-curl'];
    expect(seen).to.deep.equal(order);
  });

  it('finds every link of the contents and the bar at least 24 px high and wide', async () => {
    await open('/docs/charges');
    for (const viewport of [WIDE, PHONE]) {
      await page.setViewportSize(viewport);
      const small = await page.evaluate(
        `[...document.querySelectorAll('nav a, header a, header label')]
          .map((link) => [link.textContent.trim(), link.getBoundingClientRect()])
          .filter(([, { height, width }]) => height > 0 && Math.min(height, width) < 24)
          .map(([text, { height, width }]) => [text, width, height].join(' '))`,
      );
      expect(small, `at ${viewport.width} px`).to.deep.equal([]);
    }
  });

  it('finds an endpoint in the contents and opens what it answers', async () => {
    await open('/docs');
    await page
      .getByRole('navigation')
      .getByRole('link', { name: 'GET /charges/{reference}', exact: true })
      .click();
    await page.waitForURL(`${stack.origin}/docs/charges#getCharge`);
    const section = page.locator('#getCharge');
    expect(await section.getByRole('heading').first().isVisible()).to.equal(true);
    expect(await section.getByText('checkout_token').first().isVisible()).to.equal(false);
    await section.getByText('Answer 200').first().click();
    expect(await section.getByText('checkout_token').first().isVisible()).to.equal(true);
  });

  it('takes a payment in the live example, in test mode with a public test key, and no other key', async () => {
    await page.setViewportSize(PHONE);
    const complaints = complaintsOf(page);
    await open('/docs/checkout');
    expect(await violationsOf(page)).to.deep.equal([]);
    const pay = page.getByRole('button', { name: 'Pay ₦2,500.00' });
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByLabel('Public test key').fill(stack.tenant.public_key_live);
    await pay.click();
    expect(page.context().pages()).to.have.length(1);
    await page.getByLabel('Public test key').fill(stack.tenant.public_key_test);
    const [opened] = await Promise.all([page.waitForEvent('popup'), pay.click()]);
    await opened.getByRole('button', { name: 'Pay successfully' }).click();
    await page.getByRole('status').getByText('"status": "success"').waitFor();
    expect(complaints).to.deep.equal([]);
  });
});
