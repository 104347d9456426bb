import { once } from 'node:events';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { Client } from 'pg';
import { removePostgres } from '../../../scripts/local/postgres-place.ts';
import { freePort } from '../../support/run.ts';
import { commandsNaming, complaintOf, query, useHome } from './support.ts';

describe('The local PostgreSQL in one folder', function () {
  this.timeout(60_000);
  const home = useHome();

  let dir: string;

  before(() => {
    dir = home.at('one', 'folder');
  });

  it('finds its databases again at the second start', async () => {
    const first = await home.start(dir, { durable: true });
    await first.createDatabase('shop');
    await query(first, 'shop', 'create table goods as select 7 as n');
    await first.stop();
    await using second = await home.start(dir, { durable: true });
    expect(await query(second, 'shop', 'select n from goods')).to.deep.equal([{ n: 7 }]);
  });

  it('stops as often as it is asked to, also at once', async () => {
    const postgres = await home.start(dir);
    await Promise.all([postgres.stop(), postgres.stop()]);
    await postgres.stop();
  });

  it('makes a missing database once, of however many ask', async () => {
    await using postgres = await home.start(dir);
    await Promise.all([1, 2, 3, 4].map(() => postgres.createDatabase('often "asked" for')));
    expect(
      await query(postgres, 'often "asked" for', 'select current_database() as name'),
    ).to.deep.equal([{ name: 'often "asked" for' }]);
  });

  it('copies a template', async () => {
    await using postgres = await home.start(dir);
    await postgres.createDatabase('model');
    await query(postgres, 'model', 'create table goods as select 8 as n');
    await Promise.all(['copy_1', 'copy_2'].map((name) => postgres.createDatabase(name, 'model')));
    expect(await query(postgres, 'copy_2', 'select n from goods')).to.deep.equal([{ n: 8 }]);
  });

  it('is reached through 127.0.0.1 alone', async () => {
    await using postgres = await home.start(dir);
    expect(await query(postgres, 'postgres', 'show listen_addresses')).to.deep.equal([
      { listen_addresses: '127.0.0.1' },
    ]);
    expect(await query(postgres, 'postgres', 'show unix_socket_directories')).to.deep.equal([
      { unix_socket_directories: '' },
    ]);
  });

  it('keeps its password to itself', async () => {
    await using postgres = await home.start(dir);
    const { password } = new URL(postgres.url('postgres'));
    expect(await commandsNaming(password)).to.deep.equal([]);
    for (const name of ['postgres.password', 'postgres.log', 'postgres.lock'])
      expect((await stat(join(dir, name))).mode & 0o077).to.equal(0);
    const intruder = new Client({
      connectionString: postgres.url('postgres').replace(password, 'guess'),
    });
    expect(await intruder.connect().catch((error: Error) => error.message)).to.include(
      'password authentication failed',
    );
  });

  it('takes the port it is given', async () => {
    const port = await freePort();
    await using postgres = await home.start(dir, { port });
    expect(postgres.port).to.equal(port);
  });

  it('says so when the given port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    expect(await complaintOf(home.start(dir, { port }))).to.match(
      new RegExp(`^Port ${port} of 127.0.0.1, meant for PostgreSQL, is taken: `),
    );
    server.close();
  });

  it('refuses a folder that a living stack uses, and serves it afterwards', async () => {
    const first = await home.start(dir);
    expect(await complaintOf(home.start(dir))).to.equal(
      `Another stack (process ${process.pid}) is using ${dir}; stop it or set LOCAL_DIR to another folder.`,
    );
    await first.stop();
    await (await home.start(dir)).stop();
  });

  it('is not held up by a lock or a pid file whose number another process has now', async () => {
    await writeFile(
      join(dir, 'postgres.lock'),
      JSON.stringify({ pid: process.ppid, birth: 'long ago' }),
    );
    await writeFile(
      join(dir, 'data', 'postmaster.pid'),
      `${process.ppid}\n${join(dir, 'data')}\n1\n`,
    );
    await (await home.start(dir)).stop();
    expect(home.lines).to.deep.equal([]);
  });

  it('will not guess a lost password', async () => {
    await rm(join(dir, 'postgres.password'));
    expect(await complaintOf(home.start(dir))).to.match(
      /^The database in .* cannot be opened without .*postgres\.password: /,
    );
  });

  it('shows the last words of a server that does not start', async () => {
    await writeFile(join(dir, 'postgres.password'), 'x');
    await writeFile(join(dir, 'data', 'PG_VERSION'), '9.1\n');
    expect(await complaintOf(home.start(dir))).to.match(
      /^PostgreSQL did not start \(exit code 1\); .*incompatible with server/,
    );
  });

  it('leaves nothing when it is removed', async () => {
    await removePostgres(dir);
    expect(await readdir(home.at('one'))).to.deep.equal([]);
  });

  it('says so when its folder is a file', async () => {
    await writeFile(home.at('file'), '');
    expect(await complaintOf(home.start(home.at('file')))).to.match(
      /^Cannot write to .*; set LOCAL_DIR to a folder you can write to\.$/,
    );
  });
});
