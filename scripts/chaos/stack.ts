import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectOk, rootFile } from '../bench/processes.ts';
import { sandboxOn } from '../bench/sandbox.ts';
import { queryOnce } from '../bench/session.ts';
import { DATABASE, serviceEnv } from '../bench/stack.ts';
import { freePort } from '../local/free-port.ts';
import { removePostgres, startPostgres } from '../local/postgres.ts';
import { migrateDatabase } from '../migrate-database.ts';
import { openDisk } from './disk.ts';
import { importFrom, unpackVersion } from './other-version.ts';
import { startChaosPostgres } from './postgres.ts';
import { type ChaosRedis, startChaosRedis } from './redis.ts';
import { type SupervisedOptions, supervise } from './supervised.ts';
import { openTcpProxy } from './tcp-proxy.ts';
import { openTlsEntrance } from './tls-entrance.ts';

export const services = ['api-1', 'api-2', 'workers-1', 'workers-2'] as const;
export type ServiceName = (typeof services)[number];
export type ProcessName = ServiceName | keyof ChaosRedis['processes'] | 'sandbox';

/** The whole service and its surroundings, each part in a process of its own. */
export type ChaosStack = Awaited<ReturnType<typeof openChaosStack>>;

const SANDBOX_DATABASE = 'sandbox';

/** It ends with `scope`. `beside`: another revision, which serves until `upgrade`. */
export async function openChaosStack(scope: AsyncDisposableStack, beside?: string) {
  const dir = await mkdtemp(join(tmpdir(), 'payments-chaos-'));
  await chmod(dir, 0o755); // PostgreSQL may run as another user
  scope.defer(() => removePostgres(dir));
  const otherVersion = beside === undefined ? undefined : await unpackVersion(beside, dir);
  const disk = scope.use(await openDisk(join(dir, 'disk')));
  const postgres = scope.use(await startChaosPostgres(disk.dir));
  const providersHome = join(dir, 'providers');
  await mkdir(providersHome);
  scope.defer(() => removePostgres(providersHome));
  const providers = scope.use(await startPostgres({ dir: providersHome, durable: false }));
  await queryOnce(postgres.url('postgres'), `create database ${DATABASE}`);
  await providers.createDatabase(SANDBOX_DATABASE);
  const { migrateDatabase: migrateFirst }: typeof import('../migrate-database.ts') =
    await importFrom(otherVersion, 'scripts/migrate-database.ts');
  await migrateFirst(postgres.url(DATABASE), new Date());

  const run = async (options: SupervisedOptions) => scope.use(await supervise(options));
  const linkTo = async (...targets: [string, ...string[]]) =>
    scope.use(await openTcpProxy(...targets));
  const redis = await startChaosRedis({ dir, run, linkTo });
  const sandboxPort = await freePort();
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const sandbox = await run({
    ...sandboxOn(sandboxPort, dir, providers.url(SANDBOX_DATABASE)),
    check: () => expectOk(`${sandboxUrl}/_control/stats`),
  });
  const links = {
    postgres: await linkTo(postgres.url(DATABASE)),
    redis: redis.link,
    sandbox: await linkTo(sandboxUrl),
  };
  const sandboxEntrance = scope.use(await openTlsEntrance(links.sandbox.url, dir));
  await sandbox.untilReady();
  const probeUrls = {} as Record<ServiceName, string>;
  for (const name of services) probeUrls[name] = `http://127.0.0.1:${await freePort()}`;
  const entrance = await linkTo(probeUrls['api-1'], probeUrls['api-2']);
  const apiUrl = new URL(entrance.url).origin;
  const namesAwayFile = join(dir, 'names-away');
  const byName = (url: string) => url.replaceAll('127.0.0.1', 'localhost');
  const env: Record<string, string> = {
    ...serviceEnv(byName(links.postgres.url), byName(redis.url)),
    NODE_OPTIONS: `--import=${new URL('names-away.ts', import.meta.url).href}`,
    NAMES_AWAY_FILE: namesAwayFile,
    SANDBOX_URL: sandboxEntrance.url,
    NODE_EXTRA_CA_CERTS: sandboxEntrance.authority,
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1,localhost',
    PUBLIC_URL: apiUrl,
    TRUST_PROXY: 'loopback',
    API_PROCESSES: '2',
    PROVIDER_PROCESSES: '4',
  };
  const logs = {} as Record<ServiceName, string>;
  for (const name of services) logs[name] = join(dir, `${name}.log`);
  const service = (name: ServiceName) => {
    const isApi = name.startsWith('api');
    return run({
      ...{ name, command: process.execPath, logFile: logs[name] },
      startedLine: isApi ? 'api listening' : 'workers started',
      args: [rootFile(mainOf(name))],
      changes: otherVersion ? { args: [join(otherVersion, mainOf(name))] } : {},
      env: { ...env, [isApi ? 'PORT' : 'WORKERS_PORT']: new URL(probeUrls[name]).port },
      ...(isApi && { check: () => expectOk(`${probeUrls[name]}/readyz`) }),
    });
  };
  const processes = {
    'api-1': await service('api-1'),
    'api-2': await service('api-2'),
    'workers-1': await service('workers-1'),
    'workers-2': await service('workers-2'),
    ...redis.processes,
    sandbox,
  };
  await Promise.all(Object.values(processes).map((each) => each.untilReady()));
  return {
    ...{
      dir,
      otherVersion,
      env,
      logs,
      /** Of each process, where it answers `/readyz`. */
      probeUrls,
      apiUrl,
      sandboxUrl,
      redis,
      postgres,
      disk,
      processes,
      links,
      sandboxEntrance,
    },
    /** As config/deploy says: the schema first, then one process after another. */
    async upgrade() {
      await migrateDatabase(postgres.url(DATABASE), new Date());
      for (const name of services) await processes[name].restart();
    },
    nameServers: {
      takeAway: () => writeFile(namesAwayFile, ''),
      bringBack: () => rm(namesAwayFile, { force: true }),
    },
    query: <Row>(text: string, values?: unknown[]) =>
      queryOnce<Row>(postgres.url(DATABASE), text, values),
    querySandbox: <Row>(text: string, values?: unknown[]) =>
      queryOnce<Row>(providers.url(SANDBOX_DATABASE), text, values),
  };
}

/** The file of the service or of another version that runs it. */
export const mainOf = (name: ServiceName) =>
  name.startsWith('api') ? 'api/main.ts' : 'workers/main.ts';
