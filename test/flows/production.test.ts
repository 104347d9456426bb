import { expect } from 'chai';
import { freePort } from '../../scripts/local/free-port.ts';
import { openDatabase } from '../../scripts/sandbox/database.ts';
import { type Sandbox, startSandbox } from '../../scripts/sandbox/sandbox.ts';
import { apiClient } from '../support/api.ts';
import { emptyDatabase } from '../support/postgres.ts';
import { type Run, run } from '../support/run.ts';
import { sandboxControl } from '../support/sandbox-control.ts';
import { testRedisUrl } from '../support/suite.ts';
import { startTraceCollector, type TraceCollector } from '../support/trace-collector.ts';
import { RARELY_MS, until } from '../support/until.ts';

describe('In production, with each command a process of its own', () => {
  let env: Record<string, string>;
  let sandbox: Sandbox;
  let database: ReturnType<typeof openDatabase>;
  let key: string;
  let collector: TraceCollector;

  before(async () => {
    const url = await emptyDatabase();
    database = openDatabase(url);
    sandbox = await startSandbox({
      sql: database.sql,
      port: 0,
      now: () => new Date(),
      random: Math.random,
    });
    collector = await startTraceCollector();
    env = {
      DATABASE_URL: url,
      MASTER_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      PORT: String(await freePort()),
      SANDBOX_URL: sandbox.url,
      WORKERS_PORT: String(await freePort()),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    };
  });
  after(async () => {
    await sandbox.close();
    await collector[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  // Queues on Redis need no schema of their own to start; there /readyz reports it.
  it('nothing starts on a database that was not migrated, and one sentence says what to do', async () => {
    const { code, stderr } = await run(['workers/main.ts'], env);
    expect(code).to.equal(1);
    expect(stderr.trim()).to.equal(
      'The database has not been migrated: run `npm run migrate` first.',
    );
  });

  it('migrate can be run again, and twice at the same time', async () => {
    const runs = await Promise.all([1, 2].map(() => run(['scripts/migrate.ts'], env)));
    for (const { code, stderr } of runs) expect([code, stderr]).to.deep.equal([0, '']);
  });

  it('tenant create makes a tenant', async () => {
    const ada = ['--name', 'Ada', '--email', 'ada@shop.example', '--sandbox', '--json'];
    const created = await run(['scripts/tenant.ts', 'create', ...ada], env);
    expect(created.code, created.stderr).to.equal(0);
    key = JSON.parse(created.stdout).secret_key_test;
  });

  const collect = async () => {
    const api = apiClient(`http://localhost:${env.PORT}/v1`, key);
    for (const port of [env.PORT, env.WORKERS_PORT]) {
      const isReady = async () =>
        (await fetch(`http://localhost:${port}/readyz`).catch(() => undefined))?.ok;
      await until(`readiness at ${port}`, isReady, RARELY_MS);
    }
    const order = { amount_kobo: 50_000, email: 'a@b.example' };
    const { reference } = (await api.post('/charges', order)).json;
    const { pay } = sandboxControl(sandbox.url);
    const tryToPay = () =>
      pay(reference)
        .then(() => true)
        .catch(() => false);
    await until('the payment', tryToPay, RARELY_MS);
    const isPaid = async () => (await api.get(`/charges/${reference}`)).json.status === 'completed';
    await until('the paid charge', isPaid, RARELY_MS);
  };

  it('a charge is paid through the API and the workers, and both stop at SIGTERM with exit 0', async () => {
    const store = { ...env, REDIS_URL: testRedisUrl() ?? '' };
    let workers: Promise<Run> | undefined;
    const api = await run(['api/main.ts'], store, async (stopApi) => {
      workers = run(['workers/main.ts'], store, async (stopWorkers) => {
        await collect();
        stopWorkers('SIGTERM');
      });
      await workers;
      stopApi('SIGTERM');
    });
    for (const { code, stderr } of [api, await workers!]) {
      expect(code, stderr).to.equal(0);
      expect(stderr).not.to.include('"level":"error"');
    }
    const { traceId } = collector.spans.findLast(({ name }) => name === 'POST /v1/charges')!;
    const traced = collector.spans.filter((span) => span.traceId === traceId);
    expect(traced.map(({ name }) => name)).to.include('charge-create');
  });

  it('a wrong name of a pool is refused with the right ones', async () => {
    const { code, stderr } = await run(['workers/main.ts', 'charge-creat'], env);
    expect(code).to.equal(1);
    expect(stderr).to.match(/^There is no pool "charge-creat"\. The pools are charge-create, /);
  });
});
