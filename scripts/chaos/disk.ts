import { mkdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { runAfterDeath } from '../local/after-death.ts';
import { run } from '../local/run-as.ts';

/** Two copies of the database of an hour's run, and their log. */
const SIZE = '2g';

/** A folder on a small file system of its own, where this user may mount one. */
export async function openDisk(dir: string) {
  await mkdir(dir);
  const options = ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0755`];
  const { ok: isSmall } = await run('mount', [...options, 'tmpfs', dir]);
  const unmount = isSmall ? runAfterDeath('sleep 20; umount -l "$1"', [dir]) : undefined;
  const ballast = join(dir, 'ballast');
  return {
    dir,
    /** False: it is a plain folder, and cannot be filled. */
    isSmall,
    async fill() {
      const { bavail, bsize } = await statfs(dir);
      await run('fallocate', ['-l', String(bavail * bsize), ballast]);
    },
    free: () => rm(ballast, { force: true }),
    async [Symbol.asyncDispose]() {
      await unmount?.[Symbol.asyncDispose]();
      if (isSmall) await run('umount', ['-l', dir]);
    },
  };
}
