import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, realpath, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { SetupError } from '../../config/setup-error.ts';
import { canEnter, type RunAs } from './postgres-user.ts';

/** Makes the wanted folder where it is missing and gives its one true path. */
export async function openFolder(wanted: string): Promise<string> {
  const dir = resolve(wanted);
  return writingTo(dir, async () => {
    await mkdir(dir, { recursive: true });
    return realpath(dir);
  });
}

/** The data folder of PostgreSQL below the folder that holds it. */
export function dataIn(base: string): string {
  return join(base, 'data');
}

/** Runs a step that writes to a folder, and says in one sentence when it may not. */
export async function writingTo<T>(dir: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new SetupError(
      `Cannot write to ${dir}: ${reasonOf(error)}; set LOCAL_DIR to a folder you can write to.`,
      { cause: error },
    );
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** "EACCES: permission denied, mkdir '/x'" says "permission denied" to a person. */
function reasonOf({ message }: Error): string {
  return /^E[A-Z0-9]+: ([^,]+),/.exec(message)?.[1] ?? message;
}

/** Writes a file only we may read, whole or not at all. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
  await rename(draft, path);
}

export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Folders for temporary files, as root: those that `user` can enter and where nobody else can put something else in the place of what
 * root keeps there.
 */
export async function* openTemps(user: RunAs): AsyncGenerator<string> {
  for (const candidate of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    const temp = await realpath(candidate).catch(() => undefined);
    if (temp && (await isKeptByRoot(temp)) && (await canEnter(temp, user))) yield temp;
  }
}

/** The sentence for a root whose temporary folders are all closed to `user`. */
export function noOpenTemp(user: RunAs): SetupError {
  const places = [...new Set([tmpdir(), '/tmp', '/var/tmp'])].join(', ');
  return new SetupError(
    `PostgreSQL runs as ${user.name} when root starts it, and ${user.name} can use none of ${places}: set TMPDIR to a folder of root's with mode 0755 and open parents, or start as an ordinary user.`,
  );
}

/** True when, from here up to `/`, only root may rename entries (or the sticky bit keeps others off root's own). */
async function isKeptByRoot(folder: string): Promise<boolean> {
  const { uid, mode } = await lstat(folder);
  const closed = (mode & 0o022) === 0 || (mode & 0o1000) !== 0;
  if (uid !== 0 || !closed) return false;
  return folder === '/' || isKeptByRoot(dirname(folder));
}

/** Makes a folder of root's that anyone may enter. */
export async function makeOpenFolder(path: string): Promise<void> {
  await mkdir(path);
  await chmod(path, 0o755); // the umask may have taken bits away
}

/** Refuses a folder in a shared place which somebody else made or can write in: what it holds could be anything. */
export async function assertRootsOwn(path: string): Promise<void> {
  const found = await lstat(path);
  if (found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0) return;
  throw new SetupError(
    `${path} is not a folder that only root can write to, so nothing in it is used: remove it and start again.`,
  );
}
