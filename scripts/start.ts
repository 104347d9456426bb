import { join } from 'node:path';
import { Command } from 'commander';
import { runUntilStopped, untilAborted } from '../config/main.ts';
import { SetupError } from '../config/setup-error.ts';
import { fillHistory, HISTORY_DAYS } from './local/demo-history/fill-history.ts';
import { runDemo } from './local/demo-run.ts';
import { localDir } from './local/files.ts';
import { type Demo, type Stack, startStack } from './local/stack.ts';

const { once } = new Command('start')
  .description('The whole service on one machine, and the main job as it happens.')
  .option('--once', 'end after the demo run')
  .parse()
  .opts<{ once?: boolean }>();
const hasHistory = !once && process.env.DEMO_HISTORY !== '0';
const FILLED = `\n${HISTORY_DAYS} days of history are in the demo tenant's test mode now.`;
const print = (line = '') => process.stdout.write(`${line}\n`);

await runUntilStopped(async (stopped) => {
  const dir = localDir(process.env);
  const startedMs = performance.now();
  print('Starting PostgreSQL, the provider sandbox, the API and the workers …');
  await using stack = await startStack(dir, portOf(process.env.PORT), print);
  if (stopped.aborted) return;
  print(
    `Everything answers after ${((performance.now() - startedMs) / 1000).toFixed(1)} s. The main job, as it happens:\n`,
  );
  const filled = ignoreStop(fillAndCompare(stack, stopped));
  await ignoreStop(runDemo(stack.demo, stack.receiver, print, stopped));
  if (once) return;
  if (!stopped.aborted) print(whereEverythingIs(stack.demo, dir));
  await Promise.all([filled, untilAborted(stopped)]);
  print('\nStopping …');

  /** What Ctrl-C interrupts fails, and nobody needs to know. */
  async function ignoreStop(work: unknown): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!stopped.aborted) throw error;
    }
  }
});

/** Fills the history where it is wanted, and then begins to compare it with the sandbox's lists. */
async function fillAndCompare(stack: Stack, stopped: AbortSignal): Promise<void> {
  if (hasHistory && (await fillHistory(stack, stack.demo, stopped))) print(FILLED);
  stack.startComparing();
}

function portOf(text: string | undefined): number {
  const port = Number(text || 4000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new SetupError(`PORT is not a port: ${text}.`);
  return port;
}

function whereEverythingIs(demo: Demo, dir: string): string {
  return `
API           ${demo.base_url}
Dashboard     ${demo.dashboard_url}   (${demo.owner.email} / ${demo.owner.password})
Reference     ${demo.base_url.replace(/\/v1$/, '/docs')}
Queues        ${demo.board_url}   (${demo.board_user === null ? 'one of OPERATORS' : `${demo.board_user} / ${demo.board_password}`})
Sandbox       ${demo.sandbox_url}
Webhooks      ${demo.receiver_url}/received
Mails         ${demo.receiver_url}/mail
Secret key    ${demo.secret_key_test}
All of it     ${join(dir, 'demo.json')}
Log           ${join(dir, 'service.log')}

Ctrl-C stops everything; the next start finds the data.`;
}
