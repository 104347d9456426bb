import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupError } from '../../config/setup-error.ts';
import { writingTo } from './postgres-folder.ts';
import { birthOf } from './postgres-process.ts';

interface Owner {
  pid: number;
  birth?: string;
}

/** Keeps a folder for this process until disposed. A lock whose process no longer lives is taken over. */
export async function lockFolder(dir: string): Promise<AsyncDisposable> {
  const file = join(dir, 'postgres.lock');
  const mine = JSON.stringify({ pid: process.pid, birth: await birthOf(process.pid) });
  while (!(await writingTo(dir, () => claim(file, mine)))) {
    const held = await readFile(file, 'utf8').catch(() => '');
    const owner = parseOwner(held);
    if (owner && (await lives(owner))) throw inUse(dir, owner);
    await removeStale(file, held);
  }
  return { [Symbol.asyncDispose]: () => release(file, mine) };
}

/** The folder may have been removed and made again by another stack meanwhile. */
async function release(file: string, mine: string): Promise<void> {
  const held = await readFile(file, 'utf8').catch(() => '');
  if (held === mine) await rm(file, { force: true });
}

async function lives({ pid, birth }: Owner): Promise<boolean> {
  return birth !== undefined && (await birthOf(pid)) === birth;
}

function inUse(dir: string, { pid }: Owner): SetupError {
  return new SetupError(
    `Another stack (process ${pid}) is using ${dir}; stop it or set LOCAL_DIR to another folder.`,
  );
}

function parseOwner(text: string): Owner | undefined {
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return undefined;
  }
}

/** A link appears with its content and fails when the name is taken: nobody reads half a lock, nobody overwrites one. */
async function claim(file: string, text: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text, { mode: 0o600 });
  try {
    return await linked(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  return link(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

/** Two starts may find the same stale lock: what was moved aside is put back if it turns out to be the other's new one. */
async function removeStale(file: string, held: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  const moved = await rename(file, aside).then(
    () => true,
    () => false,
  );
  if (!moved) return;
  if ((await readFile(aside, 'utf8')) !== held) await linked(aside, file);
  await rm(aside, { force: true });
}
