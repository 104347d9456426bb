import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chown, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { freePort } from '../../../scripts/local/free-port.ts';
import { run } from '../../../scripts/local/run-as.ts';
import { migrateDatabase } from '../../../scripts/migrate-database.ts';
import { openDatabase } from '../../../scripts/sandbox/database.ts';
import { prepareSchema } from '../../../scripts/sandbox/schema.ts';
import { RARELY_MS, until } from '../../support/until.ts';

/** PostgreSQL with its own tools, as a distribution packages it; undefined: not on this machine. */
const postgresTools: string | undefined = [
  ...(existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [])
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => `/usr/lib/postgresql/${version}/bin`),
  ...(process.env.PATH ?? '').split(':'),
].find((dir) =>
  ['initdb', 'pg_ctl', 'pg_basebackup', 'psql'].every((tool) => existsSync(join(dir, tool))),
);

/** The server does not run as root. */
const user = process.getuid?.() === 0 ? { name: 'nobody', uid: 65_534, gid: 65_534 } : undefined;

/** What runs where the deployment says: the folder may be closed to the server's user. */
const shipped = fileURLToPath(new URL('../../../config/deploy/postgres/', import.meta.url));

const installed = ({ status }: { status: number | null }) => status === 0;

const hasPgbackrest = installed(spawnSync('pgbackrest', ['version'], { stdio: 'ignore' }));

const PASSWORDS = {
  owner: 'owners-password',
  service: 'services-password',
  support: 'supports-password',
};

export type DeployedPostgres = Awaited<ReturnType<typeof startDeployedPostgres>>;

/** A server for the tests of a `describe`, with the tables of the service and of the sandbox. */
export function useDeployedPostgres({ backups = false } = {}): DeployedPostgres {
  const postgres = {} as DeployedPostgres;
  before(async function () {
    const missing = [
      !postgresTools && 'PostgreSQL tools',
      backups && !hasPgbackrest && 'pgbackrest',
    ];
    if (missing.some(Boolean)) {
      const { title } = this.test!.parent!;
      process.stdout.write(`\n*** No ${missing.filter(Boolean)}: "${title}" is SKIPPED. ***\n`);
      return this.skip();
    }
    Object.assign(postgres, await startDeployedPostgres());
    await migrateDatabase(postgres.ownerUrl, new Date());
    await using owner = openDatabase(postgres.ownerUrl);
    await prepareSchema(owner.sql);
  });
  after(() => postgres[Symbol.asyncDispose]?.());
  return postgres;
}

/** A server as config/deploy/postgres makes it; pgBackRest, where installed, archives its log. */
async function startDeployedPostgres() {
  const dir = await mkdtemp(join(tmpdir(), 'payments-restore-'));
  const [data, repository, replica] = ['data', 'backups', 'replica'].map((name) =>
    join(dir, name),
  ) as [string, string, string];
  const port = await freePort();
  const settings = {
    OWNER_PASSWORD: PASSWORDS.owner,
    SERVICE_PASSWORD: PASSWORDS.service,
    SUPPORT_PASSWORD: PASSWORDS.support,
    PGBACKREST_CONFIG: join(dir, 'pgbackrest.conf'),
    PGBACKREST_REPO1_PATH: repository,
    PGBACKREST_LOCK_PATH: join(dir, 'lock'),
    PGBACKREST_SPOOL_PATH: join(dir, 'spool'),
    PGBACKREST_PG1_PATH: data,
    PGBACKREST_PG1_SOCKET_PATH: dir,
    PGBACKREST_PG1_PORT: String(port),
  };
  const environment = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const command = async (file: string, ...args: string[]) => {
    const { ok, output } = await run('/usr/bin/env', [...environment, file, ...args], user);
    const log = await readFile(join(dir, 'log'), 'utf8').catch(() => '');
    if (!ok) throw new Error(`${file} failed: ${output}\n${log.split('\n').slice(-12).join('\n')}`);
    return output;
  };
  const tool = (name: string, ...args: string[]) => command(join(postgresTools!, name), ...args);
  const controlOf = (folder: string, ...args: string[]) =>
    tool('pg_ctl', '-D', folder, '-w', ...args);
  const startIn = async (folder: string, ...args: string[]) => {
    await controlOf(folder, '-l', join(dir, 'log'), '-t', '60', ...args, 'start');
  };
  const start = () => startIn(data);
  const crash = async () => {
    await controlOf(data, '-m', 'immediate', 'stop');
  };
  const pgbackrest = (...args: string[]) => command('pgbackrest', '--stanza=payments', ...args);
  const own = (path: string) => (user ? chown(path, user.uid, user.gid) : undefined);
  const urlAs = (name: string, password: string) =>
    `postgres://${name}:${password}@127.0.0.1:${port}/payments`;

  await own(dir);
  await mkdir(repository);
  await own(repository);
  for (const file of ['pgbackrest.conf', 'back-up.sh', 'restore.sh', 'roles.sql'])
    await cp(join(shipped, file), join(dir, file));
  await writeFile(join(dir, 'password'), 'administrators-password');
  await tool(
    'initdb',
    ...['-D', data, '-U', 'postgres', '-E', 'UTF8', '--no-sync'],
    ...['--auth-local=trust', '--auth-host=scram-sha-256', `--pwfile=${join(dir, 'password')}`],
  );
  const archiving = hasPgbackrest ? await archiveSettings() : [];
  await appendFile(
    join(data, 'postgresql.conf'),
    [
      `port = ${port}`,
      `listen_addresses = '127.0.0.1'`,
      `unix_socket_directories = '${dir}'`,
      'fsync = off',
      ...archiving,
    ].join('\n'),
  );
  await start();
  const asAdmin = ['-h', dir, '-p', String(port), '-U', 'postgres'];
  const inPsql = ['--no-psqlrc', '--quiet', '--set', 'ON_ERROR_STOP=1', '-d', 'postgres'];
  await tool('psql', ...asAdmin, ...inPsql, '-f', join(dir, 'roles.sql'));
  return {
    /** The database as the role that owns nothing. */
    url: urlAs('payments_service', PASSWORDS.service),
    supportUrl: urlAs('payments_support', PASSWORDS.support),
    ownerUrl: urlAs('payments_owner', PASSWORDS.owner),
    adminUrl: urlAs('postgres', 'administrators-password'),
    pgbackrest,
    async backUp() {
      await command('sh', join(dir, 'back-up.sh'), 'once');
    },
    dir,
    /** Of pgBackRest. */
    settings,
    repository,
    data,
    start,
    crash,
    async lose() {
      await crash();
      await rm(data, { recursive: true });
    },
    /** To a moment, or to the end of the archived log. */
    async restore(until?: Date) {
      const moment = until?.toISOString().replace('T', ' ').replace('Z', '+00');
      await command('sh', join(dir, 'restore.sh'), ...(moment ? [moment] : []));
      await start();
    },
    async replicate() {
      const copied = ['-D', replica, '--checkpoint=fast', '--no-sync', '--write-recovery-conf'];
      await tool('pg_basebackup', ...asAdmin, ...copied);
      const port = await freePort();
      await startIn(replica, '-o', `-p ${port}`);
      return port;
    },
    async stopReplica() {
      await controlOf(replica, 'stop');
    },
    startReplica: () => startIn(replica),
    async promoteReplica() {
      await controlOf(replica, 'promote');
    },
    async [Symbol.asyncDispose]() {
      await controlOf(replica, '-m', 'immediate', 'stop').catch(() => {});
      await crash().catch(() => {});
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export async function archiveLog({ adminUrl }: DeployedPostgres): Promise<string> {
  await using admin = openDatabase(adminUrl);
  await admin.sql.query(`select pg_logical_emit_message(true, 'test', 'test')`);
  const ask = async (expression: string) =>
    (await admin.sql.query<{ name: string }>(`select ${expression} as name`))[0]!.name;
  const piece = await ask('pg_walfile_name(pg_switch_wal())');
  const archived = `(select coalesce(last_archived_wal, '') from pg_stat_archiver)`;
  const isArchived = async () => (await ask(archived)).slice(0, piece.length) >= piece;
  await until(`the archived ${piece}`, isArchived, RARELY_MS);
  return piece;
}

async function archiveSettings(): Promise<string[]> {
  const compose = await readFile(new URL('../../../compose.yaml', import.meta.url), 'utf8');
  const { command } = parse(compose, { merge: true }).services.postgres;
  const archiving = (command as string[]).filter((part) => part.startsWith('archive_'));
  return archiving.map((part) => part.replace(/=(.*)/, " = '$1'"));
}
