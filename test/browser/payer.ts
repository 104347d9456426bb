import type { Browser, Page } from 'playwright-core';
import { complaintsOf, fits, hurried, PHONE, useBrowser } from '../support/browser.ts';
import { type Stack, startStack } from '../support/stack.ts';

/** A payer with a phone: a new page for each test, hurried, all of one stack. */
export interface Payer {
  stack: Stack;
  browser: Browser;
  page: Page;
  /** Gives the payer a page that takes its time. */
  takeTime(): Promise<void>;
  /** What went wrong in the page, but that it has no icon. */
  complaints(): string[];
  /** Waits until the page says so in its heading. */
  heading(name: string): Promise<void>;
  /** Whether nothing of the page is wider than the phone. */
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
