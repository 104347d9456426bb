import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { SetupError } from '../../config/setup-error.ts';
import { findChromium } from './chromium.ts';
import { freePort } from './free-port.ts';
import { removePostgres } from './postgres.ts';
import { startStack } from './stack.ts';

/** A local stack in a temporary folder, and a browser to look at it. Both end with `scope`. */
export async function openBrowserStack(scope: AsyncDisposableStack, print: (line: string) => void) {
  const executablePath = findChromium();
  if (!executablePath) throw new SetupError('Install Chromium, or set CHROMIUM to where it is.');
  const dir = await mkdtemp(join(tmpdir(), 'payments-browser-'));
  scope.defer(() => rm(dir, { recursive: true, force: true }));
  scope.defer(() => removePostgres(join(dir, 'postgres')));
  const stack = scope.use(await startStack(dir, await freePort(), print));
  const browser = scope.use(await chromium.launch({ executablePath, args: ['--no-sandbox'] }));
  return { ...stack, browser };
}
