import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SetupError } from '../../config/setup-error.ts';

/** The folder of the local stack: its database, its keys, and `demo.json` for scripts. */
export function localDir(settings: NodeJS.ProcessEnv): string {
  return resolve(settings.LOCAL_DIR || '.local');
}

/** Makes the folder; one sentence when it cannot be written to. */
export async function openLocalDir(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true });
    await access(dir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new SetupError(
      `Cannot write to ${dir} (${(error as NodeJS.ErrnoException).code}): set LOCAL_DIR to a folder you can write to.`,
    );
  }
}

export async function exists(path: string): Promise<boolean> {
  const failure = await access(path).catch((error: Error) => error);
  return failure === undefined;
}

/** Writes a file only its owner reads, whole or not at all. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}`;
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, path);
}

/** The text of a file, which is written at the first call. */
export async function storedText(path: string, make: () => string): Promise<string> {
  const known = await readFile(path, 'utf8').catch(() => undefined);
  if (known !== undefined) return known.trim();
  const text = make();
  await writePrivate(path, `${text}\n`);
  return text;
}

/** The JSON in a file, or undefined when there is none to read. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

/** The local stack's master key, made once. */
export function localMasterKey(dir: string): Promise<string> {
  return storedText(join(dir, 'master.key'), () => `local:${randomBytes(32).toString('base64')}`);
}
