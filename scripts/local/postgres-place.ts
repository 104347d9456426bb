import { createHash } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { SetupError } from '../../config/setup-error.ts';
import {
  assertRootsOwn,
  dataIn,
  exists,
  makeOpenFolder,
  noOpenTemp,
  openTemps,
  replaceFile,
} from './postgres-folder.ts';
import { lockFolder } from './postgres-lock.ts';
import { stopOrphan } from './postgres-orphan.ts';
import { canEnter, findRunAs, type RunAs } from './postgres-user.ts';

export interface Place {
  /** The folder that holds the data folder: the wanted one, or one of root's below a temporary folder. */
  base: string;
  /** Who owns and runs it, when not we ourselves. */
  user: RunAs | undefined;
}

/** Decides where the data of a wanted folder is kept and who runs it; the same again at every later start. */
export async function placeData(dir: string, log: (line: string) => void): Promise<Place> {
  const user = await findRunAs();
  if (!user) return { base: dir, user };
  const owner = await ownerOf(dir, user);
  if (await canEnter(dir, owner)) return { base: dir, user: owner };
  if (await exists(dataIn(dir)))
    throw new SetupError(
      `The user ${owner.name} cannot reach its data in ${dir}: open the folders above it (chmod o+x), or remove it to start anew.`,
    );
  const base = (await notedPlace(dir, log)) ?? (await newPlace(dir, user, log));
  return { base, user: await ownerOf(base, user) };
}

/** Data that exists is run by its owner: an ordinary user's stack may be started by root once, and `postgres` may be installed later. */
async function ownerOf(base: string, user: RunAs): Promise<RunAs> {
  const found = await stat(dataIn(base)).catch(() => undefined);
  if (!found || found.uid === 0 || found.uid === user.uid) return user;
  return { name: `with uid ${found.uid}`, uid: found.uid, gid: found.gid };
}

function noteIn(dir: string): string {
  return join(dir, 'postgres-data-is-elsewhere.txt');
}

function placeName(dir: string): string {
  return `payment-collection-data-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`;
}

/** Reads the place from the note, which counts only in the folder it was written for: a copied folder gets data of its own. */
async function readNote(dir: string): Promise<string | undefined> {
  const note = await readFile(noteIn(dir), 'utf8').catch(() => '');
  const base = note.split('\n').find((line) => line.startsWith('/'));
  return base && basename(base) === placeName(dir) ? base : undefined;
}

async function notedPlace(dir: string, log: (line: string) => void): Promise<string | undefined> {
  const base = await readNote(dir);
  if (!base) return undefined;
  if (await exists(base)) {
    await assertRootsOwn(base);
    return base;
  }
  log(`The data kept in ${base} is gone: starting anew.`);
  return undefined;
}

async function newPlace(dir: string, user: RunAs, log: (line: string) => void): Promise<string> {
  for await (const temp of openTemps(user)) {
    const base = join(temp, placeName(dir));
    await discard(base, log); // of an earlier folder with this path: it was removed, and the password with it
    await makeOpenFolder(base);
    await replaceFile(
      noteIn(dir),
      `The PostgreSQL data of this folder is kept in\n${base}\nbecause PostgreSQL runs as ${user.name} when root starts it, and ${user.name} cannot enter this folder.\n`,
    );
    log(
      `The data is kept in ${base}, because ${user.name}, as whom PostgreSQL runs, cannot enter ${dir}.`,
    );
    return base;
  }
  throw noOpenTemp(user);
}

async function discard(base: string, log: (line: string) => void): Promise<void> {
  if (!(await exists(base))) return;
  await assertRootsOwn(base);
  await stopOrphan(base, log);
  await rm(base, { recursive: true, force: true });
}

/** Removes a folder and all that was kept for it elsewhere. Refused while a stack uses it. */
export async function removePostgres(dir: string): Promise<void> {
  if (!(await exists(dir))) return;
  await using _lock = await lockFolder(dir);
  const base = await readNote(dir);
  if (base) await discard(base, () => {});
  await stopOrphan(dir, () => {});
  await rm(dir, { recursive: true, force: true });
}
