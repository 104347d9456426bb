import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { run } from './postgres-user.ts';

/**
 * Which life of a pid this is, as pids are given out again. Undefined when no such process lives, and for one that has ended but was
 * not reaped: a container whose first process does not reap keeps those for ever.
 */
export async function birthOf(pid: number): Promise<string | undefined> {
  return process.platform === 'linux' ? linuxBirth(pid) : psBirth(pid);
}

/** Without `ps`, which small container images lack. */
async function linuxBirth(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name before it may hold anything
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${boot.trim()} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

async function psBirth(pid: number): Promise<string | undefined> {
  const { ok, output } = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
  const [state = 'Z', ...started] = output.trim().split(/\s+/);
  return ok && !state.startsWith('Z') ? started.join(' ') : undefined;
}

/** The words a process was started with, each followed by a blank; empty when there is no such process. */
export async function commandOf(pid: number): Promise<string> {
  if (process.platform !== 'linux')
    return `${(await run('ps', ['-o', 'command=', '-p', String(pid)])).output} `;
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
}

/** Waits for a process that is not our child, where nothing tells us of its end. */
export async function hasEnded(pid: number, patienceMs: number): Promise<boolean> {
  const birth = await birthOf(pid);
  const deadline = Date.now() + patienceMs;
  while (birth && (await birthOf(pid)) === birth) {
    if (Date.now() > deadline) return false;
    await delay(20);
  }
  return true;
}
