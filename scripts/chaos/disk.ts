import { mkdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { runAfterDeath } from '../local/after-death.ts';
import { run } from '../local/run-as.ts';
import { until } from '../local/until.ts';

/** Two copies of the database of an hour's run, and their log. */
const SIZE = '2g';
const FILLED_EVERY_MS = 250;

/** A folder on a small file system of its own, where this user may mount one. */
export async function openDisk(dir: string) {
  await mkdir(dir);
  const options = ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0755`];
  const { ok: isSmall } = await run('mount', [...options, 'tmpfs', dir]);
  const unmount = isSmall ? runAfterDeath('sleep 20; umount -l "$1"', [dir]) : undefined;
  const ballast = join(dir, 'ballast');
  const fillOnce = async () => {
    const { bavail, bsize } = await statfs(dir);
    const { size } = await stat(ballast).catch(() => ({ size: 0 }));
    if (bavail > 0) await run('fallocate', ['-l', String(size + bavail * bsize), ballast]);
  };
  let filling: { stop: AbortController; ended: Promise<unknown> } | undefined;
  const free = async () => {
    filling?.stop.abort();
    await filling?.ended;
    filling = undefined;
    await rm(ballast, { force: true });
  };
  return {
    dir,
    /** False: it is a plain folder, and cannot be filled. */
    isSmall,
    /** Until `free`, also what PostgreSQL gives back: it keeps going on the pieces of its log. */
    async fill() {
      await fillOnce();
      const stop = new AbortController();
      const again = { everyMs: FILLED_EVERY_MS, ended: stop.signal };
      filling = { stop, ended: until(again, fillOnce) };
    },
    free,
    async [Symbol.asyncDispose]() {
      await free();
      await unmount?.[Symbol.asyncDispose]();
      if (isSmall) await run('umount', ['-l', dir]);
    },
  };
}
