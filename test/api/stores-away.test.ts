import { expect } from 'chai';
import pg from 'pg';
import { openTcpProxy, type TcpProxy } from '../../scripts/chaos/tcp-proxy.ts';
import { expectContractHeaders, expectRefused } from '../support/contract.ts';
import { dashboardMember } from '../support/dashboard.ts';
import { newDatabase } from '../support/postgres.ts';
import { rawRequest } from '../support/raw-http.ts';
import { startRedis } from '../support/redis.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { testRedisUrl } from '../support/suite.ts';

const body = { amount_kobo: 10_000, email: 'ada@example.com' };

describe('While Redis is unreachable', () => {
  before(function () {
    if (!testRedisUrl()) this.skip();
  });

  it('POST /charges answers 201 as quickly as usual, and the charge is created at its provider once Redis is back', async function () {
    await using redis = await startRedis();
    if (!redis) this.skip();
    await using way = await openTcpProxy(redis.url);
    const env = { redisUrl: way.url };
    await using stack = await startStack({ queues: 'redis', workers: false, env });
    expect((await stack.api.post('/charges', body)).status).to.equal(201);

    way.cut();
    const tookMs: number[] = [];
    for (let made = 0; made < 20; made++) {
      const startedMs = performance.now();
      const created = await stack.api.post('/charges', body);
      tookMs.push(performance.now() - startedMs);
      expect(created.status).to.equal(201);
    }
    expect(Math.max(...tookMs)).to.be.below(4_000);
    const ready = () => rawRequest(stack, { path: '/readyz' });
    const { status, json } = await ready();
    const checks = { database: true, migrations: true, queues: false };
    expect([status, json.checks]).to.deep.equal([200, checks]);

    way.mend();
    while (!(await ready()).json.checks.queues);
    stack.startWorkers();
    await stack.pass(60_000);
    expect(await stack.count(`charges where status = 'pending'`)).to.equal(21);
  });

  it('the service starts and answers 201 though Redis was never reachable', async function () {
    const redis = await startRedis();
    await redis?.[Symbol.asyncDispose]();
    if (!redis) this.skip();
    const env = { redisUrl: redis.url };
    await using stack = await startStack({ queues: 'redis', workers: false, env });
    expect((await stack.api.post('/charges', body)).status).to.equal(201);
  });
});

describe('While PostgreSQL is unreachable', () => {
  let stack: Stack;
  let way: TcpProxy;
  before(async () => {
    way = await openTcpProxy(await newDatabase());
    stack = await startStack({ queues: 'postgres', workers: false, env: { databaseUrl: way.url } });
  });
  after(async () => {
    way.mend();
    await stack[Symbol.asyncDispose]();
    await way[Symbol.asyncDispose]();
  });

  it('everything that needs it answers 503 unavailable, and works again once it is back', async () => {
    way.cut();
    const reference = 'SV-100001';
    for (const [method, path] of [
      ['POST', '/charges'],
      ['GET', `/charges/${reference}`],
      ['GET', '/charges?merchant_reference=a'],
      ['GET', `/charges/${reference}/timeline`],
      ['GET', '/nothing'],
      ['DELETE', '/charges'],
    ] as const) {
      const refused = await stack.api.send(method, path, method === 'POST' ? body : undefined, {
        idempotencyKey: 'away',
      });
      expectRefused(refused, 'unavailable');
      expectContractHeaders(refused, null);
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    }
    way.mend();
    expect((await stack.api.post('/charges', body)).status).to.equal(201);
  });

  it('a pay page shows it, and a notification is answered so that the provider sends it again', async () => {
    const { checkout_url: page } = (await stack.api.post('/charges', body)).json;
    way.cut();
    const shown = await rawRequest(stack, { path: new URL(page).pathname });
    expect([shown.status, shown.headers.get('retry-after')]).to.deep.equal([503, '5']);
    expect(shown.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    const path = '/notifications/con_01h455vb4pex5vsknk084sn02q';
    const notified = await rawRequest(stack, { method: 'POST', path, body: '{}' });
    expectRefused(notified, 'unavailable');
    way.mend();
  });

  it('programs are told of the Idempotency-Key, and people are not', async () => {
    const member = await dashboardMember(stack, stack.tenant, 'viewer');
    way.cut();
    const { json } = await stack.api.post('/charges', body);
    expect(json.error.message).to.include('If you send the same Idempotency-Key');
    const pages = [await member.get('/'), await member.post('/sign-in', stack.tenant.owner)];
    for (const { status, html } of pages) {
      expect(status).to.equal(503);
      expect(html).to.include('The service cannot reach its database. Try again shortly.<');
    }
    way.mend();
  });

  it('/healthz answers 200, and /readyz names what is missing', async () => {
    way.cut();
    const alive = await rawRequest(stack, { path: '/healthz' });
    expect(alive.json).to.deep.equal({ status: 'alive' });
    const ready = await rawRequest(stack, { path: '/readyz' });
    const checks = { database: false, migrations: false, queues: false };
    expect([ready.status, ready.json]).to.deep.equal([503, { status: 'not ready', checks }]);
    way.mend();
    expect((await rawRequest(stack, { path: '/readyz' })).status).to.equal(200);
  });

  it('terminated connections cost one answer at most', async () => {
    for (let round = 0; round < 3; round++) {
      await stack.sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`;
      const during = await Promise.all(
        Array.from({ length: 10 }, () => stack.api.post('/charges', body)),
      );
      for (const answer of during.filter(({ status }) => status !== 201))
        expectRefused(answer, 'unavailable');
      expect((await stack.api.post('/charges', body)).status).to.equal(201);
    }
  });

  it('a statement that waits too long answers 503, says what to do, and is rolled back', async () => {
    await using slow = await startStack({ workers: false, env: { databaseTimeoutMs: 300 } });
    const member = await dashboardMember(slow, slow.tenant, 'viewer');
    const other = new pg.Client({ connectionString: slow.context.env.databaseUrl });
    await other.connect();
    await other.query('begin; lock table charges in access exclusive mode');
    const create = () => slow.api.post('/charges', body, { idempotencyKey: 'slow' });
    const refused = await create();
    const list = await slow.api.get('/transactions');
    const { html } = await member.get('/transactions');
    for (const answer of [refused, list]) expectRefused(answer, 'unavailable');
    const about = 'The database needed too long for this. Try again shortly';
    expect(refused.json.error.message).to.include(`${about}. If you send`);
    const then = `${about}; of a list, ask for fewer days or use more filters.`;
    for (const text of [list.json.error.message, html]) expect(text).to.include(then);
    await other.end();
    expect((await create()).status).to.equal(201);
    for (const table of ['charges', 'attempts', 'idempotency_keys'])
      expect(await slow.count(table), table).to.equal(1);
  });

  it('a statement the database refuses answers 500 without its text', async () => {
    await stack.sql`alter table charges rename to charges_elsewhere`;
    const refused = await stack.api.post('/charges', body, { idempotencyKey: 'broken' });
    await stack.sql`alter table charges_elsewhere rename to charges`;
    expectRefused(refused, 'server_error');
    expectContractHeaders(refused, stack.tenant.tenant_id);
    expect(refused.text).not.to.match(/relation|does not exist/);
    expect(await stack.count('idempotency_keys')).to.equal(0);
  });
});
