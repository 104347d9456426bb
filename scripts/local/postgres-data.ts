import { randomBytes, randomUUID } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupError } from '../../config/setup-error.ts';
import type { Binaries } from './postgres-binaries.ts';
import { dataIn, exists, replaceFile, writingTo } from './postgres-folder.ts';
import { type RunAs, run } from './postgres-user.ts';

export interface DataOptions {
  /** The wanted folder: ours alone are the files in it. */
  dir: string;
  /** The folder that holds the data. */
  base: string;
  user: RunAs | undefined;
  binaries: Binaries;
  durable: boolean;
  log: (line: string) => void;
}

/** Makes the data folder at the first start, and gives the superuser's password at every start. */
export async function prepareData(options: DataOptions): Promise<string> {
  await removeDrafts(options.base);
  if (await exists(dataIn(options.base))) return readPassword(options.dir);
  options.log('Making the database files (first start only).');
  const password = randomBytes(24).toString('base64url');
  await replaceFile(passwordIn(options.dir), password);
  await writingTo(options.base, () => makeData(options, password));
  return password;
}

function passwordIn(dir: string): string {
  return join(dir, 'postgres.password');
}

async function readPassword(dir: string): Promise<string> {
  return readFile(passwordIn(dir), 'utf8').catch(() => {
    throw new SetupError(
      `The database in ${dir} cannot be opened without ${passwordIn(dir)}: bring that file back, or remove ${dir} to start anew.`,
    );
  });
}

/** What interrupted first starts left behind. An initdb of theirs may still be writing: then the next start removes the rest. */
async function removeDrafts(base: string): Promise<void> {
  const drafts = (await readdir(base)).filter((name) => name.startsWith('data-draft-'));
  await Promise.allSettled(
    drafts.map((name) => rm(join(base, name), { recursive: true, force: true })),
  );
}

/** initdb works in a draft that is renamed when complete: an interrupted first start leaves no half-made data folder. */
async function makeData(options: DataOptions, password: string): Promise<void> {
  const draft = join(options.base, `data-draft-${randomUUID()}`);
  try {
    await openDraft(draft, options.user, password);
    const { ok, output } = await run(
      options.binaries.initdb,
      initdbArgs(draft, options.durable),
      options.user,
    );
    if (!ok)
      throw new SetupError(
        `PostgreSQL could not make its data folder in ${options.base}: ${reasonIn(output)}.`,
      );
    await rename(join(draft, 'data'), dataIn(options.base));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** initdb tells its progress and clears up at the end: the reason stands between. */
function reasonIn(output: string): string {
  const lines = output.split('\n');
  const telling = lines.filter((line) => /error|fatal|panic/i.test(line));
  return (telling.length > 0 ? telling.slice(0, 2) : lines.slice(-3)).join(' | ');
}

/** initdb reads the password from a file only its user can read. Root writes it before that user may enter, so no link can be put there. */
async function openDraft(draft: string, user: RunAs | undefined, password: string): Promise<void> {
  await mkdir(draft, { mode: 0o700 });
  await writeFile(join(draft, 'password'), password, { mode: 0o600, flag: 'wx' });
  if (!user) return;
  await chown(join(draft, 'password'), user.uid, user.gid);
  await chown(draft, user.uid, user.gid);
}

/** Sorted by code point with Unicode's own lower and upper, by the provider built into PostgreSQL: the same on every system. */
function initdbArgs(draft: string, durable: boolean): string[] {
  const locale = [
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  const login = [
    '--username=postgres',
    `--pwfile=${join(draft, 'password')}`,
    '--auth=scram-sha-256',
  ];
  return [
    '-D',
    join(draft, 'data'),
    ...login,
    ...locale,
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
}
