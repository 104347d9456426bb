import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
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
];

/** CHROMIUM, or Chromium where distributions put it; undefined, said loudly: there is none. */
export function chromiumPath(): string | undefined {
  const path = [process.env.CHROMIUM, ...PLACES].find((place) => place && existsSync(place));
  if (!path) process.stdout.write('\n*** No Chromium: set CHROMIUM or install it. Browser tests are SKIPPED. ***\n');
  return path;
}

export function startBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS });
}

/** What went wrong in a page from now on: scripts that threw, things a content security policy kept out, files that were not there. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  return complaints;
}
