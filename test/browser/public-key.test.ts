import { createServer } from 'node:http';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { listen } from '../../config/listen.ts';
import { useBrowser } from '../support/browser.ts';
import { stored } from '../support/charges.ts';
import { expectRefused } from '../support/contract.ts';
import { type Stack, startStack } from '../support/stack.ts';

interface Seen {
  status: number;
  json: any;
  requestId: string | null;
  limit: string | null;
}

describe('A page of another origin with a public key', () => {
  let stack: Stack;
  let browser: Browser;
  let closing: AsyncDisposableStack;
  let shop: string;
  let page: Page;
  useBrowser(async (lent) => {
    closing = new AsyncDisposableStack();
    browser = lent;
    stack = closing.use(await startStack({ workers: false }));
    shop = await openPage();
  });
  after(() => closing?.disposeAsync());
  beforeEach(async () => {
    page = await browser.newPage();
    await page.goto(shop);
  });
  afterEach(() => page?.close());

  async function openPage(): Promise<string> {
    const server = createServer((_request, response) => {
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><title>Shop</title><link rel="icon" href="data:,">');
    });
    const { port } = closing.use(await listen(server, 0, '127.0.0.1'));
    return `http://127.0.0.1:${port}`;
  }

  /** Has the page send a request; undefined when its browser does not let it see the answer. */
  const ask = (
    method: string,
    path: string,
    key: string,
    body?: object,
    idempotencyKey = 'cart-1',
  ): Promise<Seen | undefined> =>
    page.evaluate(
      async ([url, init]) => {
        const response = await fetch(url, init).catch(() => undefined);
        if (!response) return undefined;
        const { status, headers } = response;
        const seen = {
          requestId: headers.get('request-id'),
          limit: headers.get('x-ratelimit-limit'),
        };
        return { status, json: await response.json(), ...seen };
      },
      [
        `${stack.baseUrl}${path}`,
        {
          method,
          headers: {
            Authorization: `Bearer ${key}`,
            'Content-Type': 'application/json',
            'Idempotency-Key': idempotencyKey,
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
        },
      ] as const,
    );

  const charge = { amount_kobo: 250_000, email: 'ada@example.com' };

  it('creates a charge, and may read what it needs of the answer', async () => {
    const seen = (await ask('POST', '/charges', stack.tenant.public_key_test, charge))!;
    expect(seen.status).to.equal(201);
    expect(seen.requestId).to.match(/^req_/);
    expect(seen.limit).to.match(/^\d+$/);
    expect((await stored(stack, seen.json)).created_by).to.equal('public');
    await page.goto(seen.json.checkout_url);
    expect(page.url()).to.include(`/pay/${seen.json.id}`);
  });

  it('cannot read the charge back: the key may not, and the browser does not even ask', async () => {
    const key = stack.tenant.public_key_test;
    const { reference } = (await ask('POST', '/charges', key, charge, 'cart-2'))!.json;
    expect(await ask('GET', `/charges/${reference}`, key)).to.equal(undefined);
    expectRefused(
      await stack.api.get(`/charges/${reference}`, { key, headers: { origin: shop } }),
      'forbidden',
    );
  });
});
