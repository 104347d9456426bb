import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SetupError } from '../../../config/setup-error.ts';
import {
  type LocalPostgres,
  type PostgresOptions,
  startPostgres,
} from '../../../scripts/local/postgres.ts';
import { run } from '../../../scripts/local/run-as.ts';
import { openDatabase } from '../../../scripts/sandbox/database.ts';

export const isRoot = process.getuid?.() === 0;
export const nobody = { name: 'nobody', uid: 65534, gid: 65534 };
const isOpen = (await run(process.execPath, ['--version'], isRoot ? nobody : undefined)).ok;

const itWhen = (can: boolean, reason: string) => (title: string, test: Mocha.AsyncFunc) =>
  can ? it(title, test) : it.skip(`${title} (skipped: ${reason})`, test);
export const itAsRoot = itWhen(isRoot, 'needs root');
export const itAsOrdinaryUser = itWhen(isOpen, 'the user nobody cannot enter this checkout');

export interface Home {
  path(...names: string[]): string;
  start(dir: string, options?: Partial<PostgresOptions>): Promise<LocalPostgres>;
  lines: string[];
}

/**
 * Gives a suite a folder that PostgreSQL can enter. No test may leave a process that works in it.
 */
export function useHome(): Home {
  let root: string;
  let umask: number;
  const home: Home = {
    path: (...names) => join(root, ...names),
    start: (dir, options) =>
      startPostgres({ dir, durable: false, log: (line) => home.lines.push(line), ...options }),
    lines: [],
  };
  before(async () => {
    umask = process.umask(0o022); // a stricter one closes every folder made here to PostgreSQL's user
    root = await mkdtemp(join(tmpdir(), 'postgres-test-'));
    await chmod(root, 0o755);
  });
  beforeEach(() => {
    home.lines = [];
  });
  afterEach('leaves no process behind', async () => {
    expect(await processesNaming(root)).to.deep.equal([]);
  });
  after(async () => {
    process.umask(umask);
    await rm(root, { recursive: true, force: true });
  });
  return home;
}

export async function query(postgres: LocalPostgres, database: string, text: string) {
  await using opened = openDatabase(postgres.url(database));
  return await opened.sql.query(text);
}

export async function refusalOf(starting: Promise<LocalPostgres>): Promise<string> {
  try {
    await (await starting).stop();
  } catch (error) {
    expect(error).to.be.instanceOf(SetupError);
    return (error as SetupError).message;
  }
  throw new Error('it was not refused');
}

/**
 * The pids of the living processes with a text in their command line; none where there is no /proc.
 */
export async function processesNaming(text: string): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter((pid) => pid > 0);
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((pid, i) => pid !== process.pid && commands[i]!.includes(text));
}

export async function withTmpdir(path: string, test: () => Promise<void>): Promise<void> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = path;
  try {
    await test();
  } finally {
    process.env.TMPDIR = before;
    if (before === undefined) delete process.env.TMPDIR;
  }
}

function startingScript(dir: string, then: string): string[] {
  const module = JSON.stringify(import.meta.resolve('../../../scripts/local/postgres.ts'));
  const text = `
    import { startPostgres } from ${module};
    try {
      const postgres = await startPostgres({ dir: ${JSON.stringify(dir)}, durable: false });
      await postgres.createDatabase('mark');
      ${then}
      console.log('up');
    } catch (error) {
      console.log(error.message);
    }`;
  return ['--input-type=module', '-e', text];
}

export function startInProcess(dir: string) {
  const args = startingScript(dir, 'setInterval(() => {}, 60_000);');
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

export async function killWhenUp(child: ReturnType<typeof startInProcess>): Promise<void> {
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  expect(printed.toString()).to.equal('up\n');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

export async function asOrdinaryUser(dir: string): Promise<string> {
  const args = startingScript(dir, 'await postgres.stop();');
  return (await run(process.execPath, args, isRoot ? nobody : undefined)).output;
}

export async function serverPid(dir: string): Promise<number> {
  const text = await readFile(join(dir, 'data', 'postmaster.pid'), 'utf8').catch(() => '0');
  return Number.parseInt(text, 10);
}
