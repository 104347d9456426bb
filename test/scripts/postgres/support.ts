import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Client } from 'pg';
import { SetupError } from '../../../config/setup-error.ts';
import {
  type Internals,
  type LocalPostgres,
  type PostgresOptions,
  startPostgres,
} from '../../../scripts/local/postgres.ts';
import { openTemps } from '../../../scripts/local/postgres-folder.ts';
import { commandOf } from '../../../scripts/local/postgres-process.ts';
import { canEnter, findRunAs, type RunAs, run } from '../../../scripts/local/postgres-user.ts';

export const isRoot = process.getuid?.() === 0;
export const nobody: RunAs = { name: 'nobody', uid: 65534, gid: 65534 };
const canBeOrdinary = !isRoot || (await isOpenTo(nobody));

const itWhen = (can: boolean, reason: string) => (title: string, test: Mocha.AsyncFunc) =>
  can ? it(title, test) : it.skip(`${title} (skipped: ${reason})`, test);
export const itAsRoot = itWhen(isRoot, 'needs root');
export const itAsOrdinary = itWhen(canBeOrdinary, 'the user nobody cannot enter this checkout');
export const itAsBoth = itWhen(
  isRoot && canBeOrdinary,
  'needs root, and a checkout that the user nobody can enter',
);

/** Where a suite's servers keep their data. */
export interface Home {
  /** The path of something in it. */
  at(...names: string[]): string;
  /** Starts a server, whose lines are kept until the next test. */
  start(
    dir: string,
    options?: Partial<PostgresOptions>,
    internals?: Internals,
  ): Promise<LocalPostgres>;
  lines: string[];
}

/** Gives the suite a folder that PostgreSQL can enter, for as long as it runs; no test may leave a process behind that works in it. */
export function useHome(): Home {
  let path: string;
  let umask: number;
  const home: Home = {
    at: (...names) => join(path, ...names),
    start: (dir, options, internals) =>
      startPostgres(
        { dir, durable: false, log: (line) => home.lines.push(line), ...options },
        internals,
      ),
    lines: [],
  };
  before(async () => {
    umask = process.umask(0o022); // a stricter one closes every folder made here to the user PostgreSQL runs as
    path = await mkdtemp(join(await openTemp(), 'postgres-test-'));
    await chmod(path, 0o755);
  });
  beforeEach(() => {
    home.lines = [];
  });
  afterEach('leaves no process behind', async () => {
    expect(await commandsNaming(path)).to.deep.equal([]);
  });
  after(async () => {
    process.umask(umask);
    await rm(path, { recursive: true, force: true });
  });
  return home;
}

async function openTemp(): Promise<string> {
  const user = await findRunAs();
  if (!user) return tmpdir();
  for await (const temp of openTemps(user)) return temp;
  throw new Error('no temporary folder is open to the user PostgreSQL runs as');
}

/** A temporary folder also gets a copy of the binaries when this checkout itself is closed. */
export async function dataFolders(temp: string): Promise<string[]> {
  return (await readdir(temp)).filter((name) => name.startsWith('payment-collection-data-'));
}

export async function query(
  postgres: LocalPostgres,
  database: string,
  text: string,
): Promise<unknown[]> {
  const client = new Client({ connectionString: postgres.url(database) });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export async function complaintOf(starting: Promise<LocalPostgres>): Promise<string> {
  try {
    await (await starting).stop();
  } catch (error) {
    expect(error).to.be.instanceOf(SetupError);
    return (error as SetupError).message;
  }
  throw new Error('it started without complaint');
}

/** The command lines of all living processes that contain a text; nothing where there is no /proc. */
export async function commandsNaming(text: string): Promise<string[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
  );
  const commands = await Promise.all(pids.map((pid) => commandOf(Number(pid))));
  return commands.filter((command) => command.includes(text));
}

export async function withTmpdir(path: string, test: () => Promise<void>): Promise<void> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = path;
  try {
    await test();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

export function inChild(dir: string, internals: Internals) {
  const args = script(dir, internals, 'setInterval(() => {}, 60_000);');
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** A script for a process of its own: starts, makes a database, says "up" or what is wrong. */
function script(dir: string, internals: Internals, then: string): string[] {
  const module = JSON.stringify(import.meta.resolve('../../../scripts/local/postgres.ts'));
  const text = `
    import { startPostgres } from ${module};
    try {
      const postgres = await startPostgres({ dir: ${JSON.stringify(dir)}, durable: false }, ${JSON.stringify(internals)});
      await postgres.createDatabase('mark');
      ${then}
      console.log('up');
    } catch (error) {
      console.log(error.message);
    }`;
  return ['--input-type=module', '-e', text];
}

export async function killOnceUp(child: ReturnType<typeof inChild>): Promise<void> {
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  expect(said.toString()).to.equal('up\n');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Zero when it has ended already. */
export async function serverPid(dir: string): Promise<number> {
  return Number.parseInt(
    await readFile(join(dir, 'data', 'postmaster.pid'), 'utf8').catch(() => '0'),
    10,
  );
}

export async function killOnceDrafting(dir: string): Promise<void> {
  const child = inChild(dir, {});
  for await (const { filename } of watch(dir)) {
    if (filename?.startsWith('data-draft-')) break;
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
}

export async function asOrdinary(dir: string): Promise<string> {
  const { output } = await run(
    process.execPath,
    script(dir, {}, 'await postgres.stop();'),
    isRoot ? nobody : undefined,
  );
  return output;
}

async function isOpenTo(user: RunAs): Promise<boolean> {
  return (
    (await canEnter(import.meta.dirname, user)) &&
    (await run(process.execPath, ['--version'], user)).ok
  );
}
