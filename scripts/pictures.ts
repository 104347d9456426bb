import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import type { Context } from '../config/context.ts';
import { runUntilStopped } from '../config/main.ts';
import { SetupError } from '../config/setup-error.ts';
import { Charge } from '../domain/payments/entities/charge.ts';
import { findChromium } from './local/chromium.ts';
import { fillHistory } from './local/demo-history/fill-history.ts';
import { freePort } from './local/free-port.ts';
import { removePostgres } from './local/postgres.ts';
import { type Demo, startStack } from './local/stack.ts';

/** The pictures of the dashboard that the README shows, taken from the demo data. */
const FOLDER = join(import.meta.dirname, '../api/dashboard/pictures');
const VIEWPORT = { width: 1280, height: 1000 };

const print = (line: string) => process.stdout.write(`${line}\n`);

await runUntilStopped(async (stopped) => {
  const executablePath = findChromium();
  if (!executablePath) throw new SetupError('Install Chromium, or set CHROMIUM to where it is.');
  await using scope = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'payments-pictures-'));
  scope.defer(() => rm(dir, { recursive: true, force: true }));
  scope.defer(() => removePostgres(join(dir, 'postgres')));
  const stack = scope.use(await startStack(dir, await freePort(), print));
  print('Filling the history …');
  const { context, demo } = stack;
  await fillHistory(stack, demo, stopped);
  const browser = scope.use(await chromium.launch({ executablePath, args: ['--no-sandbox'] }));
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
