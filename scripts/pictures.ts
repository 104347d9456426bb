import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Context } from '../config/context.ts';
import { runUntilStopped } from '../config/main.ts';
import { Charge } from '../domain/payments/entities/charge.ts';
import { openBrowserStack } from './local/browser-stack.ts';
import { fillHistory } from './local/demo-history/fill-history.ts';
import type { Demo } from './local/stack.ts';

/** The pictures of the dashboard that the README shows, taken from the demo data. */
const FOLDER = join(import.meta.dirname, '../api/dashboard/pictures');
const VIEWPORT = { width: 1280, height: 1000 };

const print = (line: string) => process.stdout.write(`${line}\n`);

await runUntilStopped(async (stopped) => {
  await using scope = new AsyncDisposableStack();
  const stack = await openBrowserStack(scope, print);
  print('Filling the history …');
  const { context, demo, browser } = stack;
  await fillHistory(stack, demo, stopped);
  const page = await browser.newPage({ viewport: VIEWPORT, colorScheme: 'light' });
  await mkdir(FOLDER, { recursive: true });
  await signIn(page, demo);
  const paths = {
    overview: '',
    transaction: `/transactions/${await recoveredCharge(context)}`,
    refunds: '/refunds',
  };
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(`${demo.dashboard_url}${path}`);
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
    print(`${name}.png`);
  }
});

async function signIn(page: Page, { dashboard_url: url, owner }: Demo): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('E-mail address').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Overview' }).waitFor();
}

/** The payment that came late: its page has a story to tell. */
async function recoveredCharge({ db }: Context): Promise<string> {
  const { id } = await db.em.findOneOrFail(Charge, { recovered: true });
  return id;
}
