import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { expectOk, type ProcessScope, rootFile, startReady } from '../bench/processes.ts';
import { pingRedis } from '../bench/redis.ts';
import { sandboxOn } from '../bench/sandbox.ts';
import { queryOnce } from '../bench/session.ts';
import { openAuthority } from '../local/authority.ts';
import { signalProcess } from '../local/child.ts';
import { freePort } from '../local/free-port.ts';
import { startMailbox } from '../local/mailbox.ts';
import { removePostgres, startPostgres } from '../local/postgres.ts';
import { startReceiver } from '../local/receiver.ts';
import { type Places, placeFile, readCompose, replaced } from './files.ts';

export type Deployment = Awaited<ReturnType<typeof startDeployment>>;

/** What compose.yaml runs with a process of its own here. */
export type PartName = 'redis' | 'api-1' | 'api-2' | 'workers-1' | 'workers-2';

const WORKERS_BY_NAME = `dns_sd_configs:
      - names: [workers]
        type: A
        port: 4001
        refresh_interval: 10s`;

/**
 * Brings up what compose.yaml describes without its images, by the committed files: the addresses
 * in them become free ports of this machine. Mail and webhooks arrive in this process, and the
 * sandbox plays the providers. All of it ends with the scope. `changed`: further words to replace.
 */
export async function startDeployment(run: ProcessScope, changed: Places = {}) {
  const { scope } = run;
  const dir = await mkdtemp(join(tmpdir(), 'payments-deployment-'));
  await chmod(dir, 0o755); // PostgreSQL runs as another user
  scope.defer(() => rm(dir, { recursive: true, force: true }));
  const authority = await openAuthority(dir);
  const { both, cert, key } = await authority.issue('localhost');
  setDefaultCACertificates([
    ...getCACertificates('default'),
    await readFile(authority.file, 'utf8'),
  ]);
  const port = Object.fromEntries(
    await Promise.all(
      ['proxy', 'redis', 'api-1', 'api-2', 'workers-1', 'workers-2', 'sandbox', 'mail']
        .concat(['prometheus', 'alertmanager'])
        .map(async (name) => [name, await freePort()] as const),
    ),
  );
  const here = (name: string) => `127.0.0.1:${port[name]}`;
  const publicUrl = `https://localhost:${port.proxy}`;

  const mail = { user: 'payments', password: randomBytes(12).toString('hex') };
  const mailbox = scope.use(
    await startMailbox(port.mail!, {
      ...{ cert, key, disabledCommands: [] },
      onAuth: ({ username, password }, _session, done) =>
        username === mail.user && password === mail.password
          ? done(null, { user: username })
          : done(new Error('unknown user or password')),
    }),
  );
  const receiver = scope.use(await startReceiver(0));
  const { services, settings } = await readCompose({
    PUBLIC_URL: publicUrl,
    MASTER_KEY: `k1:${randomBytes(32).toString('base64')}`,
    SMTP_URL: `smtp://${mail.user}:${mail.password}@localhost:${port.mail}`,
    MAIL_FROM: 'Payments <payments@localhost>',
    ALERT_SMTP_PASSWORD: mail.password,
    ALERT_WEBHOOK_URL: `${receiver.url}/chat`,
  });
  const secretsDir = join(dir, 'secrets');
  await mkdir(secretsDir);
  for (const [name, value] of Object.entries(settings))
    await writeFile(join(secretsDir, name.toLowerCase()), value, { mode: 0o600 });

  const home = join(dir, 'postgres');
  scope.defer(() => removePostgres(home));
  const postgres = scope.use(await startPostgres({ dir: home, durable: false }));
  const adminUrl = postgres.url('postgres');
  await promisify(execFile)(
    'psql',
    ['--set', 'ON_ERROR_STOP=1', '--file', rootFile('config/deploy/postgres/roles.sql'), adminUrl],
    { env: { ...process.env, ...settings } },
  );
  await postgres.createDatabase('sandbox');

  const observability = join(dir, 'observability');
  const places: Places = {
    ...{ 'postgres:5432': `127.0.0.1:${postgres.port}`, 'redis:6379': here('redis') },
    ...{ 'api-1:4000': here('api-1'), 'api-2:4000': here('api-2') },
    [WORKERS_BY_NAME]: `static_configs: [{ targets: ['${here('workers-1')}', '${here('workers-2')}'] }]`,
    ...{
      'alertmanager:9093': here('alertmanager'),
      'mail.example.com:587': `localhost:${port.mail}`,
    },
    ...{ '/run/secrets/': `${secretsDir}/`, '/etc/prometheus/observability': observability },
    ...changed,
  };
  const place = (path: string, folder = dir) => placeFile(path, folder, places);
  for (const name of await readdir(rootFile('config/observability')))
    if (name.endsWith('.yaml')) await place(`config/observability/${name}`, observability);

  const sandboxUrl = `http://${here('sandbox')}`;
  const trusting = { NODE_EXTRA_CA_CERTS: authority.file };
  const envOf = (service: string): Record<string, string> => ({
    ...JSON.parse(replaced(JSON.stringify(services[service]!.environment), places), asText),
    ...trusting,
    ...{ NODE_ENV: 'production', WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' },
    ...{ SANDBOX_URL: sandboxUrl, PAYSTACK_BASE_URL: `${sandboxUrl}/paystack` },
  });
  const start = (name: string, command: string, args: string[], env = {}, url?: string) =>
    startReady(
      run,
      { name, command, args, env, logFile: join(dir, `${name}.log`) },
      url ? () => expectOk(url) : undefined,
    );
  const parts: Record<PartName, () => ReturnType<typeof start>> = {
    async redis() {
      const [command, ...args] = services.redis!.command;
      const listening = ['--port', String(port.redis), '--bind', '127.0.0.1', '--dir', dir];
      const options = { name: 'redis', command: command!, args: [...args, ...listening], env: {} };
      const logFile = join(dir, 'redis.log');
      return startReady(run, { ...options, logFile }, () => pingRedis(`redis://${here('redis')}`));
    },
    'api-1': () => startService('api-1', 'api-1', 'PORT'),
    'api-2': () => startService('api-2', 'api-2', 'PORT'),
    'workers-1': () => startService('workers-1', 'workers', 'WORKERS_PORT'),
    'workers-2': () => startService('workers-2', 'workers', 'WORKERS_PORT'),
  };
  const startService = (name: PartName, service: string, portSetting: string) => {
    const [, ...args] = services[service]!.command.map((word) =>
      word.endsWith('.ts') ? rootFile(word) : word,
    );
    const env = { ...envOf(service), [portSetting]: String(port[name]) };
    return start(name, process.execPath, args, env, `http://${here(name)}/readyz`);
  };
  const running = new Map<PartName, Awaited<ReturnType<typeof start>>>();
  const startPart = async (name: PartName) => void running.set(name, await parts[name]());

  await startPart('redis');
  await promisify(execFile)(process.execPath, services.migrate!.command.slice(1).map(rootFile), {
    env: { PATH: process.env.PATH, ...envOf('migrate') },
  });
  const sandbox = sandboxOn(port.sandbox!, dir, postgres.url('sandbox'));
  await startReady(run, { ...sandbox, env: { ...sandbox.env, ...trusting } }, () =>
    expectOk(`${sandboxUrl}/_control/stats`),
  );
  await Promise.all((['api-1', 'api-2', 'workers-1', 'workers-2'] as const).map(startPart));
  const tls = `127.0.0.1:${port.proxy} ssl crt ${both} alpn h2,http/1.1`;
  await start(
    'proxy',
    'haproxy',
    ['-db', '-f', rootFile('config/deploy/haproxy.cfg')],
    { PROXY_BIND: tls, API_1: here('api-1'), API_2: here('api-2') },
    `${publicUrl}/readyz`,
  );
  const alerting = await place('config/deploy/alertmanager/alertmanager.yml');
  await start(
    'alertmanager',
    'prometheus-alertmanager',
    [
      ...[`--config.file=${alerting}`, `--storage.path=${join(dir, 'alertmanager')}`],
      ...[`--web.listen-address=${here('alertmanager')}`, '--cluster.listen-address='],
    ],
    { SSL_CERT_FILE: authority.file },
    `http://${here('alertmanager')}/-/ready`,
  );
  const scraping = await place('config/deploy/prometheus.yml');
  await start(
    'prometheus',
    'prometheus',
    [
      ...[`--config.file=${scraping}`, `--storage.tsdb.path=${join(dir, 'prometheus')}`],
      `--web.listen-address=${here('prometheus')}`,
    ],
    {},
    `http://${here('prometheus')}/-/ready`,
  );
  return {
    ...{ mailbox, receiver, publicUrl, sandboxUrl },
    /** Settings of the service, for commands beside it. */
    env: envOf('api-1'),
    prometheusUrl: `http://${here('prometheus')}`,
    query: <Row>(text: string, values?: unknown[]) =>
      queryOnce<Row>(postgres.url('payments'), text, values),
    startPart,
    async killPart(name: PartName) {
      const { pid, ended } = running.get(name)!;
      signalProcess(pid, 'SIGKILL');
      await ended;
    },
  };
}

/** Compose has numbers, an environment has texts. */
const asText = (_key: string, value: unknown) => (typeof value === 'number' ? `${value}` : value);
