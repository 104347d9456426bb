import { chown, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Option } from 'commander';
import { Client } from 'pg';
import { type Context, openContext } from '../../config/context.ts';
import { SetupError } from '../../config/setup-error.ts';
import { DAY_MS } from '../../domain/shared/units.ts';
import type { Terminal } from '../command-line.ts';
import { type Stops, startChild, troubleStarting } from '../local/child.ts';
import { freePort } from '../local/free-port.ts';
import { asUser, type User } from '../local/run-as.ts';
import { checkJournal } from './check-journal.ts';
import type { OperatorCommand, Printed } from './operate.ts';

export const restoreCheckCommand: OperatorCommand = {
  name: 'restore-check',
  description:
    'Restores the newest backup of pgBackRest, with the log since then, beside the running ' +
    'database; compares all that is on record there with the journal; and removes it again. ' +
    'For the machine of the database. Exit 3: they differ.',
  options: [
    new Option('--folder <path>', 'where there is room for the database').default(tmpdir()),
  ],
  run: (context, { folder }: { folder: string }, _argument, terminal) =>
    restoreAndCheck(context, folder, terminal),
};

const SERVE = new URL('../../config/deploy/postgres/serve-backup.sh', import.meta.url);

/** A restore takes as long as the database is large. */
const SERVED_WITHIN_MS = DAY_MS;
/** While it replays the log, the server starts a process and writes two lines for each question. */
const ASKED_EVERY_MS = 500;

const STOPS = Object.entries({ SIGINT: 20_000, SIGKILL: 5_000 }) as Stops;

async function restoreAndCheck(
  context: Context,
  folder: string,
  terminal: Terminal,
): Promise<Printed> {
  await using scope = new AsyncDisposableStack();
  const databaseUrl = await serveNewest(context, folder, terminal, scope);
  const env = { ...context.env, databaseUrl, readDatabaseUrl: null };
  await using restored = await openContext(env, { log: context.log, clock: context.clock });
  const [replayed] = await restored.db.query<{ until: Date | null }>(
    'select pg_last_xact_replay_timestamp() as until',
  );
  const until = (replayed!.until ?? context.clock()).toISOString();
  const { object, text } = await checkJournal(restored, terminal);
  return {
    object: { restored_until: until, ...object },
    text: `The newest backup can be restored, with all until ${until}. ${text}`,
  };
}

/** Serves the newest backup until the end of the scope, which removes it. Returns its address. */
async function serveNewest(
  { env }: Context,
  folder: string,
  { env: { PGBACKREST_REPO1_PATH, ...settings } }: Terminal,
  scope: AsyncDisposableStack,
): Promise<string> {
  const dir = await mkdtemp(join(folder, 'restore-check-'));
  scope.defer(() => rm(dir, { recursive: true, force: true }));
  const repository = PGBACKREST_REPO1_PATH ?? '/var/lib/pgbackrest';
  const options = asUser(await ownerOf(repository));
  if (options.uid !== undefined) await chown(dir, options.uid, options.gid!);
  const own = Object.entries({ PGBACKREST_REPO1_PATH: repository, ...settings });
  const pgbackrest = Object.fromEntries(own.filter(([name]) => name.startsWith('PGBACKREST_')));
  const url = new URL(env.databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(await freePort());
  url.search = '';
  const logFile = join(dir, 'log');
  const script = await readFile(SERVE, 'utf8');
  const server = scope.use(
    await startChild(
      '/bin/sh',
      ['-c', script, 'serve-backup', join(dir, 'data'), url.port, url.hostname],
      { logFile, stops: STOPS, options: { ...options, env: { ...options.env, ...pgbackrest } } },
    ),
  );
  const trouble = await troubleStarting(
    () => connect(url.href),
    SERVED_WITHIN_MS,
    server.ended,
    ASKED_EVERY_MS,
  );
  if (!trouble) return url.href;
  const said = (await readFile(logFile, 'utf8')).trim().split('\n').slice(-5).join(' | ');
  throw new SetupError(`The newest backup cannot be restored (${trouble}): ${said}`);
}

/** Whoever may read the backups; PostgreSQL does not run as root. */
async function ownerOf(repository: string): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = await stat(repository).catch(() => {
    throw new SetupError(`There are no backups in ${repository}: set PGBACKREST_REPO1_PATH.`);
  });
  return { name: `the user ${uid}`, uid, gid };
}

async function connect(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 2_000 });
  await client.connect();
  await client.end();
}
