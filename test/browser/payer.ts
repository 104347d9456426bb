import type { Browser, Page } from 'playwright-core';
import { complaintsOf, fits, hurried, PHONE, useBrowser } from '../support/browser.ts';
import { type Stack, startStack } from '../support/stack.ts';

export interface Payer {
  stack: Stack;
  browser: Browser;
  page: Page;
  takeTime(): Promise<void>;
  complaints(): string[];
  heading(name: string): Promise<void>;
  fits(): Promise<boolean>;
}

/** Gives the tests of this suite a payer. Skips them where there is no Chromium. */
export function usePayer(): Payer {
  const payer = {
    complaints: () => complaints.filter((complaint) => !complaint.includes('favicon')),
    heading: (name: string) => payer.page.getByRole('heading', { name }).waitFor(),
    fits: () => fits(payer.page),
  } as Payer;
  let complaints: string[];
  useBrowser(async (browser) => {
    payer.browser = browser;
    payer.stack = await startStack();
  });
  const openPage = async (): Promise<void> => {
    const context = await payer.browser.newContext({ viewport: PHONE, reducedMotion: 'reduce' });
    payer.page = await context.newPage();
    complaints = complaintsOf(payer.page);
  };
  payer.takeTime = async () => {
    await payer.page.context().close();
    await openPage();
  };
  beforeEach(async () => {
    await openPage();
    await payer.page.context().addInitScript(hurried);
  });
  afterEach(() => payer.page?.context().close());
  after(() => payer.stack?.[Symbol.asyncDispose]());
  return payer;
}
