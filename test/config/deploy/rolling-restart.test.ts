import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { listen } from '../../../config/listen.ts';
import { freePort } from '../../../scripts/local/free-port.ts';
import { apiClient } from '../../support/api.ts';
import { type ApiProcess, startApiProcess } from '../../support/api-process.ts';
import { killed } from '../../support/killed.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { type Stack, startStack, type TestTenant } from '../../support/stack.ts';
import { RARELY_MS, until } from '../../support/until.ts';

const file = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const isInstalled = spawnSync('haproxy', ['-v'], { stdio: 'ignore' }).status === 0;

type Ports = Record<'proxy' | 'both' | 'api-1' | 'api-2', number>;

const configs = ['config/deploy/haproxy.cfg', 'test/config/deploy/both-ready.cfg'];
const startProxy = (ports: Ports) =>
  spawn('haproxy', ['-db', ...configs.flatMap((config) => ['-f', file(config)])], {
    stdio: 'ignore',
    env: {
      ...process.env,
      PROXY_BIND: `127.0.0.1:${ports.proxy}`,
      BOTH_READY: `127.0.0.1:${ports.both}`,
      API_1: `127.0.0.1:${ports['api-1']}`,
      API_2: `127.0.0.1:${ports['api-2']}`,
    },
  });

describe('Two APIs behind the proxy of config/deploy', function () {
  // Four processes are started, and two wait for their traffic to turn away.
  this.timeout(180_000);
  let stack: Stack;
  let ports: Ports;
  let proxy: ChildProcess | undefined;
  const apis = new Map<string, ApiProcess>();

  before(async function () {
    if (!isInstalled) {
      process.stdout.write('\n*** No haproxy on the PATH: the rolling restart is SKIPPED. ***\n');
      this.skip();
    }
    stack = await startStack({ workers: false });
    const [proxied, both, one, other] = await Promise.all(Array.from({ length: 4 }, freePort));
    ports = { proxy: proxied!, both: both!, 'api-1': one!, 'api-2': other! };
    await Promise.all([startApi('api-1'), startApi('api-2')]);
    proxy = startProxy(ports);
    await until('the proxy', () => isReady(ports.both), RARELY_MS);
  });
  after(async () => {
    if (proxy) await killed(proxy);
    for (const api of apis.values()) await api[Symbol.asyncDispose]();
    await stack?.[Symbol.asyncDispose]();
  });

  const isReady = async (port: number) =>
    (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok;

  async function startApi(name: 'api-1' | 'api-2'): Promise<void> {
    // Clients are where proxies are believed, as on a network of a company.
    const settings = {
      API_PROCESSES: '2',
      DRAIN_SECONDS: '3',
      TRUST_PROXY: 'loopback, uniquelocal',
    };
    const port = String(ports[name]);
    apis.set(name, await startApiProcess(stack, [], { ...settings, PORT: port }));
    await until(name, () => isReady(ports[name]), RARELY_MS);
  }

  it('a rolling restart under load fails no request, and loses no charge', async () => {
    const tenants = await Promise.all(Array.from({ length: 8 }, () => stack.newTenant()));
    const answers: number[] = [];
    const failures: unknown[] = [];
    const references: string[] = [];
    let isOver = false;
    const load = async ({ secret_key_test: key }: TestTenant) => {
      const api = apiClient(`http://127.0.0.1:${ports.proxy}/v1`, key);
      while (!isOver) {
        await setTimeout(500); // each key may ask 300 times a minute
        const created = await api.post('/charges', { amount_kobo: 10_000, email: 'a@b.example' });
        answers.push(created.status);
        if (created.status === 201) references.push(created.json.reference);
        answers.push((await api.get('/transactions?limit=1')).status);
      }
    };
    const loads = tenants.map((tenant) => load(tenant).catch((error) => failures.push(error)));
    for (const name of ['api-1', 'api-2'] as const) {
      const stopped = apis.get(name)!.stop();
      await until(`${name} that turns traffic away`, async () => !(await isReady(ports[name])));
      expect(await stopped, name).to.equal(0);
      await startApi(name);
      await until('the proxy with both', () => isReady(ports.both), RARELY_MS);
      const before = answers.length;
      await until('more answers', async () => answers.length > before + 20, RARELY_MS);
    }
    isOver = true;
    await Promise.all(loads);
    expect(failures).to.deep.equal([]);
    expect(answers.filter((status) => status !== 200 && status !== 201)).to.deep.equal([]);
    const numbers = references.map((reference) => Number(reference.slice('SV-'.length)));
    const stored = await stack.sql`select 1 from charges where number = any(${numbers})`;
    expect(stored).to.have.length(references.length);
  });

  it('figures are not shown through it, however their address is written', async () => {
    const { origin } = new URL(`http://127.0.0.1:${ports.proxy}`);
    for (const path of [
      ...['/metrics', '/metrics?x', '/metrics/', '/metrics//', '//metrics', '/METRICS'],
      ...['/%6detrics', '/%256detrics', '/metrics%2f', '/./metrics', `${origin}/metrics/`],
    ]) {
      const answer = await rawRequest(origin, { path });
      expect([answer.status, answer.headers.get('request-id')], path).to.deep.equal([404, null]);
    }
    const other = await rawRequest(origin, { path: '/metrics.txt' });
    expect(other.headers.get('request-id')).to.match(/^req_/);
  });

  it('13 wrong sign-ins of one client, each with a forged X-Forwarded-For, end in 429', async () => {
    const { origin } = new URL(`http://127.0.0.1:${ports.proxy}`);
    const statuses: number[] = [];
    for (let n = 1; n <= 13; n++) {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${n}` };
      const body = JSON.stringify({ email: 'a@b.example', password: 'a wrong one', mode: 'test' });
      const request = { method: 'POST', path: '/v1/auth/token', headers, body };
      statuses.push((await rawRequest(origin, request)).status);
    }
    expect(statuses).to.deep.equal([...Array(10).fill(401), 429, 429, 429]);
  });

  it('a client that names another host in X-Forwarded-Host is not believed', async () => {
    const { origin } = new URL(`http://127.0.0.1:${ports.proxy}`);
    const headers = { host: 'pay.example.com', 'x-forwarded-host': 'localhost' };
    const answer = await rawRequest(origin, { path: '/v1/charges', headers });
    expect([answer.status, answer.json.error.code]).to.deep.equal([403, 'https_required']);
  });
});

describe('The proxy of config/deploy', () => {
  it('answers clients of the API in JSON where no process is ready', async function () {
    if (!isInstalled) this.skip();
    const nobody = await freePort();
    const ports = {
      proxy: await freePort(),
      both: await freePort(),
      'api-1': nobody,
      'api-2': nobody,
    };
    const proxy = startProxy(ports);
    await using _ = { [Symbol.asyncDispose]: () => killed(proxy) };
    const answer = async () =>
      (await fetch(`http://127.0.0.1:${ports.proxy}/v1/charges`).catch(() => undefined))?.json();
    const error = await until('an answer', () => answer().catch(() => undefined), RARELY_MS);
    expect(error).to.have.nested.property('error.code', 'unavailable');
  });

  it('keeps the traffic of processes that are so busy that they say late that they are ready', async function () {
    if (!isInstalled) this.skip();
    let checks = 0;
    const server = createServer(async ({ url }, response) => {
      if (url === '/readyz') {
        await setTimeout(700);
        checks++;
      }
      response.end();
    });
    await using busy = await listen(server, 0, '127.0.0.1');
    const ports = {
      proxy: await freePort(),
      both: await freePort(),
      'api-1': busy.port,
      'api-2': busy.port,
    };
    const proxy = startProxy(ports);
    await using _ = { [Symbol.asyncDispose]: () => killed(proxy) };
    await until('checks of both', async () => checks >= 4, RARELY_MS);
    const answer = () => fetch(`http://127.0.0.1:${ports.proxy}/`);
    await until('an answer', async () => (await answer()).status === 200, RARELY_MS);
  });
});
