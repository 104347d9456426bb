import { expect } from 'chai';
import { openDatabase } from '../../scripts/sandbox/database.ts';
import { type Sandbox, startSandbox } from '../../scripts/sandbox/sandbox.ts';
import { type ApiClient, apiClient } from '../support/api.ts';
import { describeOnEachQueue } from '../support/each-queue.ts';
import { emptyDatabase } from '../support/postgres.ts';
import { freePort, type Run, run } from '../support/run.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { testRedisUrl } from '../support/suite.ts';
import { until } from '../support/until.ts';

describeOnEachQueue('In production, with each command a process of its own', (queues) => {
  let env: Record<string, string>;
  let sandbox: Sandbox;
  let api: ApiClient;
  let database: ReturnType<typeof openDatabase>;

  before(async () => {
    const url = await emptyDatabase();
    const port = String(await freePort());
    database = openDatabase(url);
    sandbox = await startSandbox({ sql: database.sql, port: 0, now: () => new Date(), random: Math.random });
    env = {
      DATABASE_URL: url,
      REDIS_URL: queues === 'redis' ? testRedisUrl()! : '',
      MASTER_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      PORT: port,
      SANDBOX_URL: sandbox.url,
    };
  });
  after(async () => {
    await sandbox.close();
    await database[Symbol.asyncDispose]();
  });

  // Queues on Redis need no schema of their own to start; there /readyz tells.
  if (queues === 'postgres') {
    it('nothing starts on a database that was not migrated, and one sentence says what to do', async () => {
      const { code, stderr } = await run(['workers/main.ts'], env);
      expect(code).to.equal(1);
      expect(stderr.trim()).to.equal('The database has not been migrated: run `npm run migrate` first.');
    });
  }

  it('migrate can be run again, and at once', async () => {
    const runs = await Promise.all([run(['scripts/migrate.ts'], env), run(['scripts/migrate.ts'], env)]);
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).to.deep.equal([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ]);
  });

  it('a charge is paid through the API and the workers, and both stop when told, exit 0', async () => {
    const created = await run(['scripts/tenant.ts', 'create', '--name', 'Ada', '--email', 'ada@shop.example', '--sandbox', '--json'], env);
    const tenant = JSON.parse(created.stdout);
    api = apiClient(`http://localhost:${env.PORT}/v1`, tenant.secret_key_test);
    let workers: Promise<Run> | undefined;
    const door = await run(['api/main.ts'], env, async (stopApi) => {
      await until('the API', async () => (await fetch(`http://localhost:${env.PORT}/readyz`).catch(() => undefined))?.ok);
      workers = run(['workers/main.ts'], env, async (stopWorkers) => {
        const { json: charge } = await api.post('/charges', { amount_kobo: 50_000, email: 'a@b.example' });
        const control = sandboxControl(sandbox.url);
        await until('the payment', () =>
          control.pay(charge.reference).then(
            () => true,
            () => false,
          ),
        );
        await until('the paid charge', async () => (await api.get(`/charges/${charge.reference}`)).json.status === 'completed');
        stopWorkers('SIGTERM');
      });
      await workers;
      stopApi('SIGTERM');
    });
    expect(door.code, door.stderr).to.equal(0);
    expect((await workers!).code).to.equal(0);
    for (const { stderr } of [door, await workers!]) expect(stderr).not.to.include('"level":"error"');
  });

  it('the pools can be named, and a wrong name is told', async () => {
    const { code, stderr } = await run(['workers/main.ts', 'charge-creat'], env);
    expect(code).to.equal(1);
    expect(stderr).to.match(/^There is no pool "charge-creat"\. The pools are charge-create, /);
  });
});

describe('Settings that contradict each other', () => {
  const sound = { DATABASE_URL: 'postgres://127.0.0.1:1/none', MASTER_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}` };
  const wrongs: [wrong: Record<string, string>, sentence: RegExp][] = [
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL is not right: .*PostgreSQL/],
    [{ MASTER_KEY: 'k1:short' }, /^MASTER_KEY is not right/],
    [{ PUBLIC_URL: 'http://pay.example.com' }, /^PUBLIC_URL is plain http on pay\.example\.com/],
    [{ PORT: 'http' }, /^PORT is not right/],
    [{ TRUST_PROXY: 'loopback, 10.0.0.0/64' }, /^TRUST_PROXY is not right: "10\.0\.0\.0\/64"/],
  ];

  it('refuse to start, in one sentence', async () => {
    const runs = await Promise.all(wrongs.map(([wrong]) => run(['api/main.ts'], { ...sound, ...wrong })));
    for (const [index, { code, stderr }] of runs.entries()) {
      expect(code).to.equal(1);
      expect(stderr).to.match(wrongs[index]![1]);
      expect(stderr.trim().split('\n')).to.have.length(1);
    }
  });
});
