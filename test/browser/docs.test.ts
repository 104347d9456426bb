import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { complaintsOf, fits, PHONE, useBrowserStack, WIDE } from '../support/browser.ts';

describe('A developer with a browser', () => {
  const stack = useBrowserStack({ workers: false });

  const open = async (path: string): Promise<Page> => {
    const page = await stack.browser.newPage({ viewport: WIDE });
    await page.goto(`${stack.origin}${path}`);
    return page;
  };
  const shown = (page: Page) => page.locator('.sample:visible figcaption').first().innerText();

  it('reads every page on a wide screen and on a phone, and nothing is missing or too wide', async () => {
    const page = await stack.browser.newPage();
    const complaints = complaintsOf(page);
    for (const path of [
      '/docs',
      '/docs/webhooks',
      '/docs/checkout',
      '/docs/charges',
      '/docs/transactions',
      '/docs/nothing',
    ]) {
      await page.goto(`${stack.origin}${path}`);
      for (const viewport of [WIDE, PHONE]) {
        await page.setViewportSize(viewport); // no page has a script that minds: sizes differ in style alone
        expect(await fits(page), `${path} at ${viewport.width} px`).to.equal(true);
      }
      expect(
        complaints.filter((complaint) => !(path === '/docs/nothing' && complaint.includes('404'))),
        path,
      ).to.deep.equal([]);
    }
    await page.close();
  });

  it('chooses a language with the keyboard alone, and sees one at a time', async () => {
    const page = await open('/docs/charges');
    expect(await shown(page)).to.equal('curl');
    await page.getByRole('radio', { name: 'curl' }).focus();
    for (const language of ['Node', 'Python', 'PHP', 'curl', 'Node']) {
      await page.keyboard.press('ArrowRight');
      expect(await shown(page)).to.equal(language);
      const captions = await page.locator('.sample:visible figcaption').allInnerTexts();
      expect(new Set(captions)).to.deep.equal(new Set([language]));
    }
    await page.close();
  });

  it('reaches the page, the contents and the languages by Tab', async () => {
    const page = await open('/docs');
    const focused = () =>
      page.evaluate(
        'document.activeElement.id || document.activeElement.textContent.trim().split("\\n")[0]',
      );
    const seen: unknown[] = [];
    for (let press = 0; press < 4; press++) {
      await page.keyboard.press('Tab');
      seen.push(await focused());
    }
    expect(seen.slice(0, 3)).to.deep.equal([
      'Skip to the content',
      'Payment Collection API v1',
      'in-curl',
    ]);
    await page.close();
  });

  it('finds every link of the contents and the bar at least 24 px high and wide', async () => {
    const page = await open('/docs/charges');
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
    await page.close();
  });

  it('finds an endpoint in the contents and opens what it answers', async () => {
    const page = await open('/docs');
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
    await page.close();
  });
});
