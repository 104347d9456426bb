import { once } from 'node:events';
import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { removePostgres } from '../../scripts/local/postgres-place.ts';
import { until } from '../support/kill.ts';
import { freePort, type Run, run } from '../support/run.ts';

describe('npm start', () => {
  let dir: string;
  let port: string;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'payments-start-'));
    port = String(await freePort());
  });
  after(() => removePostgres(join(dir, 'postgres')));

  const postmasterPid = () => readFile(join(dir, 'postgres', 'postgres.lock'), 'utf8').catch(() => undefined);

  it('-- --once tells the whole story and exits 0', async () => {
    const { code, stdout, stderr } = await run(['scripts/start.ts', '--once'], { LOCAL_DIR: dir, PORT: port });
    expect(stderr).to.equal('');
    expect(code).to.equal(0);
    for (const step of ['1. A charge', '2. The provider', '3. The sandbox', '4. GET /charges/SV-100001', '5. The webhook']) {
      expect(stdout).to.include(step);
    }
  });

  it('a second time finds the data, keeps the keys, runs tenant create beside it, and Ctrl-C leaves nothing behind', async () => {
    const demoFile = join(dir, 'demo.json');
    let demo: Record<string, any> = {};
    let tenant: Run | undefined;
    const { code, stdout } = await run(['scripts/start.ts'], { LOCAL_DIR: dir, PORT: port }, async (kill) => {
      demo = await until(async () => JSON.parse(await readFile(demoFile, 'utf8').catch(() => 'null')));
      expect((await stat(demoFile)).mode & 0o777).to.equal(0o600);
      const answer = await fetch(`${demo.base_url}/charges/SV-100001`, { headers: { authorization: `Bearer ${demo.secret_key_test}` } });
      expect(((await answer.json()) as any).status).to.equal('completed');
      tenant = await run(['scripts/tenant.ts', 'create', '--name', 'Ada', '--email', 'ada@shop.example', '--sandbox', '--json'], {
        LOCAL_DIR: dir,
      });
      kill('SIGINT');
    });
    expect(code).to.equal(0);
    expect(stdout).to.include('Stopping');
    expect(JSON.parse(tenant!.stdout)).to.have.all.keys(
      ...['tenant_id', 'secret_key_test', 'public_key_test', 'secret_key_live', 'public_key_live', 'owner'],
    );
    expect(tenant!.stdout.trim()).not.to.include('\n');
    expect(await postmasterPid(), 'the lock is released').to.equal(undefined);
    for (const url of [demo.base_url, demo.sandbox_url, demo.receiver_url]) {
      expect(await fetch(url).catch(() => 'nobody answers')).to.equal('nobody answers');
    }
  });

  it('on a port in use says so in one sentence', async () => {
    const taken = createServer().listen(Number(port));
    await once(taken, 'listening');
    const { code, stderr } = await run(['scripts/start.ts', '--once'], { LOCAL_DIR: dir, PORT: port });
    await new Promise((resolve) => taken.close(resolve));
    expect(code).to.equal(1);
    expect(stderr.trim()).to.equal(`Port ${port} is in use: stop what listens there, or set PORT to another one.`);
  });

  it('and tenant create without a database to work on say so in one sentence', async () => {
    const { code, stderr } = await run(['scripts/tenant.ts', 'create', '--name', 'A', '--email', 'a@b.example'], {
      LOCAL_DIR: join(dir, 'none'),
    });
    expect(code).to.equal(1);
    expect(stderr.trim().split('\n')).to.have.length(1);
    expect(stderr).to.include('run the local stack (npm start)');
  });
});
