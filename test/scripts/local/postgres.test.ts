import { mkdir, readdir, rm, stat, watch, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Client } from 'pg';
import { freePort } from '../../../scripts/local/free-port.ts';
import { removePostgres } from '../../../scripts/local/postgres.ts';
import { until } from '../../support/until.ts';
import {
  killWhenUp,
  processesNaming,
  query,
  refusalOf,
  serverPid,
  startInProcess,
  useHome,
} from './postgres-fixture.ts';

describe('The local PostgreSQL', function () {
  this.timeout(60_000);
  const home = useHome();
  let dir: string;
  before(() => {
    dir = home.path('one', 'folder');
  });

  it('finds its databases again at the second start', async () => {
    const first = await home.start(dir, { durable: true });
    await first.createDatabase('shop');
    await query(first, 'shop', 'create table goods as select 7 as n');
    await Promise.all([first.stop(), first.stop()]);
    await using second = await home.start(dir, { durable: true });
    await second.createDatabase('shop');
    expect(await query(second, 'shop', 'select n from goods')).to.deep.equal([{ n: 7 }]);
  });

  it('makes a missing database once, for several callers at the same time', async () => {
    await using postgres = await home.start(dir);
    await Promise.all([1, 2, 3, 4].map(() => postgres.createDatabase('often "asked" for')));
    const name = 'select current_database() as name';
    const rows = await query(postgres, 'often "asked" for', name);
    expect(rows).to.deep.equal([{ name: 'often "asked" for' }]);
  });

  it('listens on 127.0.0.1 alone, on the given port', async () => {
    const port = await freePort();
    await using postgres = await home.start(dir, { port });
    const addresses = { listen_addresses: '127.0.0.1', unix_socket_directories: '' };
    for (const [name, value] of Object.entries(addresses))
      expect(await query(postgres, 'postgres', `show ${name}`)).to.deep.equal([{ [name]: value }]);
    expect(postgres.port).to.equal(port);
  });

  it('shows its password to nobody', async () => {
    await using postgres = await home.start(dir);
    const { password } = new URL(postgres.url('postgres'));
    expect(await processesNaming(password)).to.deep.equal([]);
    for (const name of ['postgres.password', 'postgres.log'])
      expect((await stat(home.path('one', 'folder', name))).mode & 0o077).to.equal(0);
    const guess = postgres.url('postgres').replace(password, 'guess');
    const refusal = await new Client({ connectionString: guess })
      .connect()
      .catch((error: Error) => error.message);
    expect(refusal).to.include('password authentication failed');
  });

  it('refuses a folder that a running stack uses, and starts in it afterwards', async () => {
    const first = await home.start(dir);
    expect(await refusalOf(home.start(dir))).to.equal(
      `Another stack (process ${process.pid}) is using ${dir}; stop it or set LOCAL_DIR to another folder.`,
    );
    await first.stop();
    await (await home.start(dir)).stop();
  });

  it('starts when the number in its pid file belongs to another process', async () => {
    const pidFile = home.path('one', 'folder', 'data', 'postmaster.pid');
    await writeFile(pidFile, `${process.ppid}\n${dir}/data\n1\n`);
    await (await home.start(dir)).stop();
    expect(home.lines).to.deep.equal([]);
  });

  it('does not start without its password', async () => {
    await rm(home.path('one', 'folder', 'postgres.password'));
    expect(await refusalOf(home.start(dir))).to.match(
      /^The database in .* cannot be opened without .*postgres\.password: /,
    );
  });

  it('shows the end of the log of a server that does not start', async () => {
    await writeFile(home.path('one', 'folder', 'postgres.password'), 'x');
    await writeFile(home.path('one', 'folder', 'data', 'PG_VERSION'), '9.1\n');
    expect(await refusalOf(home.start(dir))).to.match(
      /^PostgreSQL did not start \(exit code 1\); .*incompatible with server/,
    );
  });

  it('leaves nothing when it is removed', async () => {
    await removePostgres(dir);
    expect(await readdir(home.path('one'))).to.deep.equal([]);
  });

  it('refuses a folder that is a file', async () => {
    await writeFile(home.path('file'), '');
    expect(await refusalOf(home.start(home.path('file')))).to.match(
      /^Cannot write to .*: set LOCAL_DIR to a folder you can write to\.$/,
    );
  });

  it('refuses binaries that are missing or do not run, in one sentence', async () => {
    const packageDir = home.path('nowhere');
    expect(await refusalOf(home.start(home.path('none'), { packageDir }))).to.match(
      /^The PostgreSQL of npm does not run here \(.*ENOENT\): run `npm ci` again .* DATABASE_URL .*\.$/,
    );
  });

  describe('when its process is killed,', () => {
    it('stops by itself', async () => {
      const dir = home.path('guarded');
      await killWhenUp(startInProcess(dir));
      await until('its end', async () => (await processesNaming(dir)).length === 0);
    });

    it('starts again while the old one is still stopping', async () => {
      const dir = home.path('guarded');
      await killWhenUp(startInProcess(dir));
      await (await home.start(dir)).stop();
    });

    it('stops a server that was left running, and starts again', async () => {
      const dir = home.path('guarded');
      const child = startInProcess(dir);
      await until('its server', async () => (await serverPid(dir)) > 0);
      const orphan = await serverPid(dir);
      const [guard] = await until('its guard', async () => {
        const guards = await processesNaming(`kill -INT "$1"\0sh\0${orphan}\0`);
        return guards.length > 0 && guards;
      });
      process.kill(guard!, 'SIGKILL');
      await killWhenUp(child);
      await using postgres = await home.start(dir);
      expect(home.lines).to.deep.equal([
        `Stopping the PostgreSQL that an earlier run left behind (process ${orphan}).`,
      ]);
      expect(await query(postgres, 'mark', 'select 1 as one')).to.deep.equal([{ one: 1 }]);
    });

    it('starts anew after a first start that was cut off', async () => {
      const dir = home.path('cut-off');
      await mkdir(dir);
      const child = startInProcess(dir);
      for await (const { filename } of watch(dir)) if (filename?.startsWith('data-draft-')) break;
      child.kill('SIGKILL');
      await mkdir(join(dir, 'data-draft-1', 'data', 'base'), { recursive: true });
      await (await home.start(dir)).stop();
      expect(await readdir(dir)).to.have.members(['data', 'postgres.log', 'postgres.password']);
    });
  });
});
