import { once } from 'node:events';
import { access, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { exists } from '../../scripts/local/files.ts';
import { freePort } from '../../scripts/local/free-port.ts';
import { removePostgres } from '../../scripts/local/postgres.ts';
import { tenant as tenantProgram } from '../../scripts/tenant/program.ts';
import { type Run, run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';
import { RARELY_MS, until } from '../support/until.ts';

const DEMO_FIELDS = [
  ...['base_url', 'dashboard_url', 'board_url', 'board_user', 'board_password', 'sandbox_url'],
  'operators',
  ...['receiver_url', 'tenant_id', 'secret_key_test', 'public_key_test', 'secret_key_live'],
  ...['public_key_live', 'webhook_secret_test', 'database_url', 'redis_url', 'owner'],
];

/** In the sandbox, where test money is; live mode has none. */
const everyProvider = [
  'test provider_a paystack',
  'test provider_b flutterwave',
  'test provider_c monnify',
];

async function logOf(dir: string): Promise<Record<string, any>[]> {
  const text = await readFile(join(dir, 'service.log'), 'utf8').catch(() => '');
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

/** True: everything that waits for the history ran once, or could not. */
async function isCompared(dir: string): Promise<boolean> {
  const ended = (await logOf(dir)).filter(({ row }) => row).map(({ queue }) => queue);
  const times = (name: string) => ended.filter((queue) => queue === name).length;
  const ofEach = Math.min(times('settlement-reconcile'), times('payment-audit'));
  // Only one of the three providers can list the refunds of an account.
  return ofEach >= everyProvider.length && times('refunds-list') >= 1;
}

async function connectionsOf(demo: Record<string, any>, tenantId: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: demo.database_url });
  await client.connect();
  const { rows } = await client.query(
    'select mode, slot, adapter from connections where tenant_id = $1 order by mode, slot',
    [tenantId],
  );
  await client.end();
  return rows.map(({ mode, slot, adapter }) => `${mode} ${slot} ${adapter}`);
}

describe('npm start', () => {
  let dir: string;
  let demoFile: string;
  let port: string;
  let demo: Record<string, any>;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'payments-start-'));
    demoFile = join(dir, 'demo.json');
    port = String(await freePort());
  });
  after(async () => {
    await removePostgres(join(dir, 'postgres'));
    await rm(dir, { recursive: true, force: true });
  });

  it('for the first time, with a history that takes longer than a statement may, and Ctrl-C log no warning and no error; tenant create works beside it, and nothing is left behind', async function () {
    this.timeout(120_000); // a month takes long on a shared machine
    let tenant: Run | undefined;
    let second: Run | undefined;
    const settings = { LOCAL_DIR: dir, PORT: port };
    const patient = { ...settings, DATABASE_TIMEOUT_MS: '3000' };
    const { code, stdout, stderr } = await run(['scripts/start.ts'], patient, async (kill) => {
      await until('demo.json', () => exists(demoFile), RARELY_MS);
      demo = JSON.parse(await readFile(demoFile, 'utf8'));
      expect((await stat(demoFile)).mode & 0o777).to.equal(0o600);
      expect(Object.keys(demo)).to.include.members(DEMO_FIELDS);
      await until('every account compared with its lists', () => isCompared(dir), RARELY_MS);
      const headers = { authorization: `Bearer ${demo.secret_key_test}` };
      const paid = await fetch(`${demo.base_url}/transactions?status=succeeded`, { headers });
      expect(((await paid.json()) as any).data).not.to.deep.equal([]);
      const create = ['create', '--name', 'Ada', '--email', 'ada@shop.example', '--sandbox'];
      tenant = await runHere(tenantProgram, [...create, '--json'], { LOCAL_DIR: dir });
      expect(tenant.stderr).to.equal('');
      for (const id of [demo.tenant_id, JSON.parse(tenant.stdout).tenant_id])
        expect(await connectionsOf(demo, id)).to.deep.equal(everyProvider);
      const elsewhere = { ...settings, PORT: String(await freePort()) };
      second = await run(['scripts/start.ts'], elsewhere);
      await access(demoFile);
      kill('SIGINT');
    });
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.include('Stopping');
    const troubles = (await logOf(dir)).filter(({ level }) => level !== 'info');
    expect(troubles).to.deep.equal([]);
    expect(second).to.include({ code: 1 });
    expect(second!.stderr, 'a stack that runs keeps its folder').to.match(
      /^Another stack \(process \d+\) is using/,
    );
    expect(JSON.parse(tenant!.stdout)).to.have.all.keys(
      ...['tenant_id', 'secret_key_test', 'public_key_test', 'owner'],
      ...['secret_key_live', 'public_key_live'],
    );
    expect(tenant!.stdout.trim()).not.to.include('\n');
    const client = new pg.Client({ connectionString: demo.database_url });
    const refusal = await client.connect().catch(({ code }: { code: string }) => code);
    expect(refusal).to.equal('ECONNREFUSED');
    for (const url of [demo.base_url, demo.sandbox_url, demo.receiver_url])
      expect(await fetch(url).catch(() => 'nobody answers')).to.equal('nobody answers');
  });

  it('-- --once, a second time, finds the data, keeps the keys, shows every step and exits 0', async () => {
    const settings = { LOCAL_DIR: dir, PORT: port };
    const readDemo = async () => JSON.parse(await readFile(demoFile, 'utf8'));
    let again: typeof demo = {};
    const ended = await run(['scripts/start.ts', '--once'], settings, async () => {
      again = await until('demo.json', () => readDemo().catch(() => null), RARELY_MS);
    });
    const { code, stdout, stderr } = ended;
    expect([code, stderr]).to.deep.equal([0, '']);
    for (const step of ['1. A charge', '2. The provider', '3. The sandbox', '5. The webhook'])
      expect(stdout).to.include(step);
    const [, number] = /4\. GET \/charges\/SV-(\d+)/.exec(stdout)!;
    expect(Number(number), 'after those of the first time').to.be.greaterThan(100_001);
    for (const key of ['tenant_id', 'secret_key_test', 'public_key_live', 'webhook_secret_test'])
      expect(again[key], key).to.equal(demo[key]);
  });

  it('refuses a port in use in one sentence, and takes others for what is beside it', async () => {
    const taken = createServer().listen(Number(port));
    const mailboxes = createServer().listen(Number(port) + 3, '127.0.0.1');
    await Promise.all([once(taken, 'listening'), once(mailboxes, 'listening')]);
    const { code, stderr } = await run(['scripts/start.ts', '--once'], {
      LOCAL_DIR: dir,
      PORT: port,
    });
    for (const server of [taken, mailboxes]) await new Promise((done) => server.close(done));
    expect(code).to.equal(1);
    expect(stderr.trim()).to.equal(
      `Port ${port} is in use: stop what listens there, or set PORT to another one.`,
    );
  });

  it('and tenant create without a database to work on say so in one sentence', async () => {
    const { code, stderr } = await runHere(
      tenantProgram,
      ['create', '--name', 'A', '--email', 'a@b.example'],
      { LOCAL_DIR: join(dir, 'none') },
    );
    expect(code).to.equal(1);
    expect(stderr.trim().split('\n')).to.have.length(1);
    expect(stderr).to.include('run the local stack (npm start)');
  });
});
