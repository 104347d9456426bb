import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, complaintsOf, startBrowser } from '../support/browser.ts';
import { type Stack, startStack } from '../support/stack.ts';

describe('A developer with a browser', () => {
  let stack: Stack;
  let browser: Browser | undefined;
  let origin: string;
  before(async function () {
    const path = chromiumPath();
    if (!path) this.skip();
    browser = await startBrowser(path);
    stack = await startStack({ workers: false });
    origin = new URL(stack.baseUrl).origin;
  });
  after(async () => {
    await browser?.close();
    await stack?.[Symbol.asyncDispose]();
  });

  const open = async (path: string, viewport = { width: 1280, height: 800 }): Promise<[Page, complaints: string[]]> => {
    const page = await browser!.newPage({ viewport });
    const complaints = complaintsOf(page);
    await page.goto(`${origin}${path}`);
    return [page, complaints];
  };
  const shown = (page: Page) => page.locator('.sample:visible figcaption').first().innerText();

  for (const [device, viewport] of [
    ['a desk', { width: 1280, height: 800 }],
    ['a phone', { width: 360, height: 640 }],
  ] as const) {
    it(`reads every page on ${device}, and nothing is missing or too wide`, async () => {
      for (const path of ['/docs', '/docs/webhooks', '/docs/charges', '/docs/transactions', '/docs/nothing']) {
        const [page, complaints] = await open(path, viewport);
        expect(await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'), path).to.equal(true);
        expect(
          complaints.filter((complaint) => !(path === '/docs/nothing' && complaint.includes('404'))),
          path,
        ).to.deep.equal([]);
        await page.close();
      }
    });
  }

  it('chooses a language with the keyboard alone, and sees one at a time', async () => {
    const [page] = await open('/docs/charges');
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
    const [page] = await open('/docs');
    const focused = () => page.evaluate('document.activeElement.id || document.activeElement.textContent.trim().split("\\n")[0]');
    const seen: unknown[] = [];
    for (let press = 0; press < 4; press++) {
      await page.keyboard.press('Tab');
      seen.push(await focused());
    }
    expect(seen.slice(0, 3)).to.deep.equal(['Skip to the content', 'Payment Collection API v1', 'in-curl']);
    await page.close();
  });

  it('finds an endpoint in the contents and opens what it answers', async () => {
    const [page] = await open('/docs');
    await page.getByRole('navigation').getByRole('link', { name: 'GET /charges/{reference}', exact: true }).click();
    await page.waitForURL(`${origin}/docs/charges#getChargesByReference`);
    const section = page.locator('#getChargesByReference');
    expect(await section.getByRole('heading').first().isVisible()).to.equal(true);
    expect(await section.getByText('checkout_token').first().isVisible()).to.equal(false);
    await section.getByText('Answer 200').first().click();
    expect(await section.getByText('checkout_token').first().isVisible()).to.equal(true);
    await page.close();
  });
});
