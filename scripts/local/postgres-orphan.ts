import { readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupError } from '../../config/setup-error.ts';
import { dataIn } from './postgres-folder.ts';
import { commandOf, hasEnded } from './postgres-process.ts';

/**
 * Stops the PostgreSQL that still runs on the data below `base`; only for the holder of the folder's lock, to whom it is what a killed
 * stack left behind.
 */
export async function stopOrphan(base: string, log: (line: string) => void): Promise<void> {
  const data = dataIn(base);
  const pidFile = join(data, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (!(pid > 1)) return;
  if (await isPostgresOn(data, pid)) {
    log(`Stopping the PostgreSQL that an earlier run left behind (process ${pid}).`);
    await endOrphan(pid, base);
  } else {
    // PostgreSQL refuses to start while any process of its user has this number, and numbers are given out again.
    await rm(pidFile, { force: true });
  }
}

/** By what it was started with, or by its working folder: the data may have been renamed under it. */
async function isPostgresOn(data: string, pid: number): Promise<boolean> {
  const command = await commandOf(pid);
  if (!command.includes('postgres')) return false;
  return (
    command.includes(` -D ${data} `) ||
    (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === data
  );
}

async function endOrphan(pid: number, base: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    send(pid, signal);
    if (await hasEnded(pid, 10_000)) return;
  }
  throw new SetupError(
    `The PostgreSQL that an earlier run left behind in ${base} (process ${pid}) does not stop: end it by hand.`,
  );
}

/** It may end by itself at any moment. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
