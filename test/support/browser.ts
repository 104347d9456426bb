import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../scripts/local/chromium.ts';
import { type Stack, type StackOptions, startStack } from './stack.ts';

/**
 * Each window of a headless Chromium loads two pages of its own, hidden below the address bar, at
 * twice the cost of a page of ours. The flag is read once, so what Playwright passes with it is
 * passed again.
 */
const WITHOUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** It is to open our pages, not to call home. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${WITHOUT.join(',')}`,
];

/**
 * Time enough for the next file of this process to begin; alone, a Chromium that waits would keep
 * the process from ending.
 */
const LINGER_MS = 1_000;

let running: Browser | undefined;
let leaving: NodeJS.Timeout | undefined;

/**
 * Lends a suite the Chromium of this process: started for the first that asks, closed soon after
 * the last. What a suite leaves open is closed after it. Where there is no Chromium its tests are
 * skipped, and `then`, which prepares the rest, is not called.
 */
export function useBrowser(then: (browser: Browser) => Promise<void>): void {
  let lent = false;
  before(async function () {
    const path = chromiumPath();
    if (!path) this.skip();
    clearTimeout(leaving);
    lent = true;
    if (!running?.isConnected())
      running = await chromium.launch({ executablePath: path, args: FLAGS });
    await then(running);
  });
  after(async () => {
    if (!lent) return;
    leaving = setTimeout(() => running?.close(), LINGER_MS);
    for (const context of running?.contexts() ?? []) await context.close();
  });
}

export function useBrowserStack(options?: StackOptions): Stack & { browser: Browser } {
  const stack = {} as Stack & { browser: Browser };
  useBrowser(async (browser) => {
    Object.assign(stack, await startStack(options), { browser });
  });
  after(() => stack[Symbol.asyncDispose]?.());
  return stack;
}

export const WIDE = { width: 1280, height: 860 };
export const PHONE = { width: 360, height: 640 };

export function fits(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    'document.documentElement.scrollWidth <= document.documentElement.clientWidth',
  );
}

/** Where Chromium is; undefined, said loudly: there is none. */
function chromiumPath(): string | undefined {
  const path = findChromium();
  if (!path)
    process.stdout.write(
      '\n*** No Chromium: set CHROMIUM or install it. Browser tests are SKIPPED. ***\n',
    );
  return path;
}

const SPEED = 10;

/** For `addInitScript`: the page's timers and its `Date.now` run ten times as fast. */
export const hurried = `(() => {
  const { setTimeout, setInterval } = window;
  const { now } = Date;
  const began = now();
  window.setTimeout = (callback, ms, ...rest) => setTimeout(callback, ms / ${SPEED}, ...rest);
  window.setInterval = (callback, ms, ...rest) => setInterval(callback, ms / ${SPEED}, ...rest);
  Date.now = () => began + (now() - began) * ${SPEED};
})()`;

/**
 * What went wrong in a page from now on: scripts that threw, things a content security policy
 * refused, files that were not there.
 */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  return complaints;
}
