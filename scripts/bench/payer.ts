import type { Browser, Page } from 'playwright-core';
import { expectAnswer } from '../local/api-call.ts';
import { openBrowserStack } from '../local/browser-stack.ts';
import type { Demo } from '../local/stack.ts';
import type { Bench, BenchRun, Measured } from './bench.ts';
import { median, rounded } from './figures.ts';

/** As a browser's developer tools understand 2G. */
const NETWORK = {
  offline: false,
  latency: 300,
  downloadThroughput: 250_000 / 8,
  uploadThroughput: 50_000 / 8,
};
const CPU_SLOWDOWN = 4;
const PHONE = { width: 360, height: 740 };
const ROUNDS = 10;

export const payer: Bench = {
  name: 'payer',
  description: 'The pages of a charge and a payment link on a slow phone: 2G, a quarter of the CPU',
  about: [
    `Payer's pages until they are usable, empty cache, 250 kbit/s, 300 ms, CPU ÷ ${CPU_SLOWDOWN}, ${ROUNDS} visits:`,
  ],
  measure,
};

type View = { url: string; usable: string };

async function measure({ print, stopped, scope }: BenchRun): Promise<Measured> {
  const { demo, browser } = await openBrowserStack(scope, print);
  const figures: Measured['figures'] = {};
  for (const [name, { url, usable }] of Object.entries(await openViews(demo))) {
    print(`Opening ${url}, ${ROUNDS} times …`);
    const visits: Visit[] = [];
    while (visits.length < ROUNDS) {
      stopped.throwIfAborted();
      visits.push(await visit(browser, url, usable));
    }
    const durations = visits.map(({ usableMs }) => usableMs);
    figures[`${name}_p50_ms`] = rounded(median(durations), 0);
    figures[`${name}_slowest_ms`] = rounded(Math.max(...durations), 0);
    figures[`${name}_bytes`] = Math.max(...visits.map(({ bytes }) => bytes));
  }
  return { figures };
}

async function openViews(demo: Demo): Promise<Record<'link' | 'pay', View>> {
  const sale = { amount_kobo: 1_250_050, description: 'Two bags of rice' };
  const post = (path: string, body: object) => {
    const call = { path, key: demo.secret_key_test, idempotencyKey: 'bench', body };
    return expectAnswer<Record<string, string>>(demo.base_url, call);
  };
  const link = await post('/payment-links', sale);
  const charge = await post('/charges', { ...sale, email: 'ada@example.com' });
  return {
    link: { url: link.url!, usable: 'Pay ₦12,500.50' },
    pay: { url: `${charge.checkout_url}?returned=1`, usable: `Reference ${charge.reference}` },
  };
}

type Visit = { usableMs: number; bytes: number };

async function visit(browser: Browser, url: string, usable: string): Promise<Visit> {
  await using context = await browser.newContext({ viewport: PHONE });
  const page = await context.newPage();
  const received = await slowDown(page);
  await page.goto(url, { waitUntil: 'load' });
  await page.getByText(usable, { exact: true }).waitFor();
  await page.waitForFunction(PAINTED);
  return { usableMs: await page.evaluate<number>(USABLE), bytes: received() };
}

const PAINTED = `performance.getEntriesByName('first-contentful-paint').length > 0`;
const USABLE = `Math.max(
  performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd,
  performance.getEntriesByName('first-contentful-paint')[0].startTime)`;

async function slowDown(page: Page): Promise<() => number> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', NETWORK);
  await client.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  let bytes = 0;
  client.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  return () => bytes;
}
