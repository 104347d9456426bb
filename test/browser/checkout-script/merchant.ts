import { createServer, type ServerResponse } from 'node:http';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { listen } from '../../../config/listen.ts';
import { checkoutIdOf, referenceOf } from '../../../domain/shared/ids.ts';
import { complaintsOf, hurried, useBrowser } from '../../support/browser.ts';
import { type Stack, startStack } from '../../support/stack.ts';
import { RARELY_MS, until } from '../../support/until.ts';

export interface MerchantPage {
  body: string;
  headers?: Record<string, string>;
  /** Its timers, and those of what it opens, take their time. */
  unhurried?: boolean;
}

export function payButton(options: object): string {
  return `<button id="pay">Pay</button><script>
    window.calls = [];
    const called = (name) => (detail) => calls.push([name, detail]);
    const callbacks = ['onSuccess', 'onFailure', 'onClose'];
    const options = { ...${JSON.stringify(options)},
      ...Object.fromEntries(callbacks.map((name) => [name, called(name)])) };
    pay.addEventListener('click', () => PaymentCheckout.open(options));
  </script>`;
}

export async function newestCharge({ sql }: Stack) {
  const [row] = await sql`select id, number from charges order by id desc limit 1`;
  return { checkout: checkoutIdOf(row.id), reference: referenceOf(row.number) };
}

export async function openCheckout(page: Page, name = 'Pay'): Promise<Page> {
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name, exact: true }).click(),
  ]);
  return opened;
}

export async function callsOf(page: Page, count = 1): Promise<[name: string, detail: any][]> {
  const calls = () => page.evaluate<[string, any][]>('window.calls');
  await until(`${count} callbacks`, async () => (await calls()).length >= count, RARELY_MS);
  return calls();
}

/** Gives the tests of this suite a merchant. Skips them where there is no Chromium. */
export function useMerchant() {
  const merchant = { complaints: [] as string[] } as {
    stack: Stack;
    context: BrowserContext;
    complaints: string[];
  } & Record<'service' | 'script' | 'origin' | 'stranger', string>;
  const pages = new Map<string, MerchantPage>();
  let closing: AsyncDisposableStack;
  let browser: Browser;
  useBrowser(async (lent) => {
    browser = lent;
    closing = new AsyncDisposableStack();
    merchant.stack = closing.use(await startStack());
    merchant.service = merchant.stack.origin;
    merchant.script = `<script src="${merchant.service}/v1/checkout.js"></script>`;
    merchant.origin = await site('localhost');
    merchant.stranger = await site('127.0.0.1');
    merchant.context = await browser.newContext({ reducedMotion: 'reduce' });
    await merchant.context.addInitScript(hurried);
  });
  after(() => closing?.disposeAsync());
  afterEach(async () => {
    await Promise.all((merchant.context?.pages() ?? []).map(closed));
  });

  async function site(host: string): Promise<string> {
    const server = createServer((request, response) => send(pages.get(request.url!), response));
    const { port } = closing.use(await listen(server, 0, '127.0.0.1'));
    return `http://${host}:${port}`;
  }
  function serve(page: MerchantPage): string {
    const path = `/page-${pages.size}`;
    pages.set(path, page);
    return path;
  }
  const order = () => ({
    key: merchant.stack.tenant.public_key_test,
    amount_kobo: 1_250_050,
    email: 'ada@example.com',
  });
  async function visit(shown: MerchantPage): Promise<Page> {
    const page = await (shown.unhurried ? browser : merchant.context).newPage();
    merchant.complaints = complaintsOf(page);
    await page.goto(`${merchant.origin}${serve(shown)}`);
    return page;
  }
  const visitWithButton = (options: object = {}, more: Omit<MerchantPage, 'body'> = {}) =>
    visit({ body: `${merchant.script}${payButton({ ...order(), ...options })}`, ...more });
  return Object.assign(merchant, { serve, order, visit, visitWithButton });
}

/**
 * Closes a page that may be on its way to another: Chromium says that it closed and does not, where
 * the navigation is committed at that moment (https://github.com/microsoft/playwright/issues/42068).
 * Asked again, it does.
 */
async function closed(page: Page): Promise<void> {
  const close = async () => {
    await page.close({ runBeforeUnload: true }).catch(() => {}); // it closes itself meanwhile
    return page.isClosed();
  };
  await until('the end of a page', close, RARELY_MS);
}

function send(page: MerchantPage | undefined, response: ServerResponse): void {
  const { body, headers = {} } = page ?? { body: 'thanks' };
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response
    .setHeader('content-type', 'text/html; charset=utf-8')
    .end(`<!doctype html><title>Shop</title><link rel="icon" href="data:,">${body}`);
}
