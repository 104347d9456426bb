import { expect } from 'chai';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { drawLogo } from '../../api/business/logo-image.ts';
import { setLogo } from '../../domain/accounts/tenant/logo.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { colourRules, receivedBy, violationsOf } from '../support/axe.ts';
import { useBrowserStack } from '../support/browser.ts';
import { memberOf } from '../support/members.ts';
import { newLink } from '../support/payment-links.ts';
import type { Stack } from '../support/stack.ts';
import { linkStates, payStates } from './payer-states.ts';

const light = ['light', undefined] as const;
const dark = ['dark', colourRules] as const;
const LOOKS = [
  [360, light],
  [1280, dark],
] as const;

const MOST_BYTES = 50_000;

/** Gives the business of a stack the picture that weighs most: nothing in it repeats. */
async function addHeavyLogo(stack: Stack): Promise<void> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
  const create = { width: 300, height: 300, channels: 3 as const, background: '#fff', noise };
  const { tenant_id: tenantId } = stack.tenant;
  const png = await drawLogo(tenantId, await sharp({ create }).jpeg().toBuffer());
  const { memberId } = await memberOf(stack, stack.tenant, 'owner');
  await stack.context.inTx((tx) => setLogo(tx, { tenantId, memberId }, png));
}

describe('Every state that a payer sees', () => {
  const stack = useBrowserStack({ workers: false });
  before(async function () {
    if (!stack.browser) this.skip();
    await stack.sql`update tenants
      set support_email = 'help@shop.example', support_phone = '+2348031234567'`;
    await addHeavyLogo(stack);
  });

  /**
   * A page without a cache that counts how far its content moves, and leads nowhere: what it does
   * after a while, such as going on to the provider, would cut the next navigation short.
   */
  async function openPage(width: number): Promise<Page> {
    const context = await stack.browser.newContext({
      viewport: { width, height: 740 },
      reducedMotion: 'reduce',
    });
    await context.route(
      (url) => url.origin !== stack.origin,
      (route) => route.fulfill({ status: 204 }),
    );
    await context.addInitScript(
      `const soon = window.setTimeout;
       window.setTimeout = (run, ms, ...more) => (ms >= 900 ? 0 : soon(run, ms, ...more));
       window.shifted = 0;
       new PerformanceObserver((list) => {
         for (const { value } of list.getEntries()) window.shifted += value;
       }).observe({ type: 'layout-shift', buffered: true });`,
    );
    const page = await context.newPage();
    await (await context.newCDPSession(page)).send('Network.setCacheDisabled', {
      cacheDisabled: true,
    });
    return page;
  }

  async function expectUsable(page: Page, look: string, themes = [light, dark]): Promise<void> {
    for (const [theme, rules] of themes) {
      await page.emulateMedia({ colorScheme: theme });
      expect(await violationsOf(page, rules), `${look}, ${theme}`).to.deep.equal([]);
    }
    const wide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await page.evaluate(wide), `${look}: something is too wide`).to.equal(false);
    expect(await page.evaluate('document.getAnimations().length'), `${look}: moves`).to.equal(0);
    expect(await page.evaluate('window.shifted'), `${look}: layout shifts`).to.equal(0);
  }

  const top = (page: Page) =>
    page.evaluate<string | undefined>(
      `JSON.stringify(document.querySelector('.summary')?.getBoundingClientRect().toJSON().width
        && ['.merchant', '.amount', '.panel h1'].map((name) => {
          const { x, y } = document.querySelector(name).getBoundingClientRect();
          return name === '.panel h1' ? y : [x, y];
        }))`,
    );

  for (const [width, theme] of LOOKS) {
    it(`at ${width} px, ${theme[0]}, is accessible, fits, weighs little and stands still`, async () => {
      const page = await openPage(width);
      const received = await receivedBy(page);
      const tops = new Set<string | undefined>();
      const walk = async (states: Record<string, string>, view: string) => {
        for (const [title, url] of Object.entries(states)) {
          const before = received();
          await page.goto(url);
          await page.getByRole('heading', { name: title, exact: true }).waitFor();
          await expectUsable(page, `${view} ${title}`, [theme]);
          expect(received() - before, `bytes of ${title}`).to.be.within(1_000, MOST_BYTES);
          if (view === '/pay') tops.add(await top(page));
        }
      };
      await walk(await payStates(stack), '/pay');
      tops.delete(undefined);
      expect([...tops], 'who, how much and the outcome stay where they are').to.have.length(1);
      await walk(await linkStates(stack), '/l');
      await page.context().close();
    });

    it(`at ${width} px is accessible where a form is refused, by every field`, async () => {
      const page = await openPage(width);
      await page.goto((await newLink(stack)).url);
      const fields = { 'E-mail address': 'ada@example', 'Phone number': 'home' };
      for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
      await page.getByRole('button', { name: 'Pay ₦12,500.50' }).click();
      await page.getByText('Enter a phone number like 0803 123 4567').waitFor();
      await expectUsable(page, 'a refused form');
      await page.context().close();
    });
  }

  it('fits the largest amount, in one line, and the longest description', async () => {
    const sale = { amount_kobo: 100_000_000_000, email: 'ada@example.com' };
    const { json } = await stack.api.post('/charges', { ...sale, description: 'W'.repeat(500) });
    const lines = `((amount) => amount.offsetHeight / parseFloat(getComputedStyle(amount).lineHeight))
      (document.querySelector('.amount'))`;
    for (const [width] of LOOKS) {
      const page = await openPage(width);
      await page.goto(json.checkout_url);
      await expectUsable(page, 'a long description');
      expect(await page.evaluate(lines), `at ${width} px`).to.be.closeTo(1, 0.1);
      await page.context().close();
    }
  });

  it('is accessible where the service has no time for it, or fails', async () => {
    const { limits } = stack.context;
    const take = limits.take;
    const page = await openPage(360);
    const spent = { allowed: false, limit: 600, remaining: 0, resetMs: 30_000 };
    const failures = {
      'Many people are here at once': () => Promise.resolve(spent),
      'We will be right back': () => Promise.reject(new Problem('unavailable', 'away')),
      'Something went wrong on our side': () => Promise.reject(new Error('a defect')),
    };
    try {
      for (const [title, failing] of Object.entries(failures)) {
        limits.take = failing;
        for (const path of ['/pay/x', '/l/x']) {
          await page.goto(`${stack.origin}${path}`);
          await page.getByRole('heading', { name: title, exact: true }).waitFor();
          await expectUsable(page, `${path} ${title}`);
        }
      }
    } finally {
      limits.take = take;
    }
    await page.context().close();
  });

  it('has a spinner while it waits, for who has not asked for less motion', async () => {
    const page = await stack.browser.newPage();
    const states = await payStates(stack);
    await page.goto(states['Waiting for confirmation']!);
    expect(await page.evaluate('document.getAnimations().length')).to.equal(1);
    await page.close();
  });

  it('reaches the fields and the button in the order they are read, and brings up their keyboards', async () => {
    const page = await openPage(360);
    await page.goto((await newLink(stack)).url);
    const focused: unknown[] = [];
    for (let press = 0; press < 4; press++) {
      await page.keyboard.press('Tab');
      focused.push(
        await page.evaluate(
          `(({ name, inputMode, autocomplete, textContent }) =>
            name ? [name, inputMode, autocomplete] : textContent)(document.activeElement)`,
        ),
      );
    }
    expect(focused).to.deep.equal([
      ['email', 'email', 'email'],
      ['name', 'text', 'name'],
      ['phone', 'tel', 'tel'],
      'Pay ₦12,500.50',
    ]);
    await page.context().close();
  });
});
