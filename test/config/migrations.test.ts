import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import pg from 'pg';
import winston from 'winston';
import { openContext } from '../../config/context.ts';
import { readEnv } from '../../config/env.ts';
import { baselineName } from '../../config/migrations/migration-0001-baseline.ts';
import { SetupError } from '../../config/setup-error.ts';
import { migrateDatabase, untilMigrated } from '../../scripts/migrate-database.ts';
import { openDatabase } from '../../scripts/sandbox/database.ts';
import { killed } from '../support/killed.ts';
import { newDatabase } from '../support/postgres.ts';
import { settingsFor } from '../support/settings.ts';
import { RARELY_MS, until } from '../support/until.ts';

const QUEUES =
  'The queues in the database were made by a newer version of the service, and this one ' +
  'cannot use them: run that version or a later one.';

async function expectRefusal(work: Promise<unknown>, sentence: RegExp | string): Promise<void> {
  const refusal = await work.catch((error: unknown) => error);
  expect(refusal).to.be.instanceOf(SetupError);
  const { message } = refusal as SetupError;
  if (typeof sentence === 'string') expect(message).to.equal(sentence);
  else expect(message).to.match(sentence);
}

describe('migrations', () => {
  it('begin with the schema of 1.0.0: each change of it is a migration of its own', () => {
    expect(baselineName).to.equal('Migration0001Baseline-e3a76f199c64');
  });

  const refused: [of: string, change: string, sentence: RegExp | string][] = [
    [
      'a database made by an earlier build',
      `update mikro_orm_migrations set name = 'Migration0001Charges'`,
      /^[^.]+LOCAL_DIR[^.]+\.$/,
    ],
    [
      'a database that a newer version migrated',
      `insert into mikro_orm_migrations (name) values ('0007-newer')`,
      'The database was migrated to "0007-newer" by a newer version of the service and was not ' +
        'changed: run `npm run migrate` of that version or of a later one.',
    ],
    [
      'queues that a newer version made',
      'update bullmq.migration set min_client_version = 99',
      QUEUES,
    ],
  ];
  for (const [of, change, sentence] of refused)
    it(`refuse, in one sentence, ${of}`, async () => {
      const databaseUrl = await newDatabase();
      await query(databaseUrl, change);
      await expectRefusal(migrateDatabase(databaseUrl), sentence);
      if (sentence !== QUEUES) return;
      const log = winston.createLogger({ silent: true });
      await expectRefusal(openContext(readEnv(settingsFor(databaseUrl)), { log }), QUEUES);
    });

  it('are waited for by what must not run before them, until whoever runs them has ended', async () => {
    const databaseUrl = await newDatabase();
    await using observer = openDatabase(databaseUrl);
    const happens = (what: string, condition: string) =>
      until(what, async () => (await observer.sql.query(condition)).length > 0, RARELY_MS);
    const [row] = await observer.sql.query<{ name: string }>(
      `delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations)
       returning name`,
    );
    const stop = new AbortController();
    const stopped = untilMigrated(databaseUrl, stop.signal).catch(({ name }) => name);
    await happens(
      'a look at the migrations that ran',
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and state = 'idle' and query like '%mikro_orm_migrations%'`,
    );
    stop.abort();
    expect(await stopped).to.equal('AbortError');

    const migrator = new pg.Client({ connectionString: databaseUrl });
    await migrator.connect();
    await migrator.query('select pg_advisory_lock(7201002)');
    const waited = untilMigrated(databaseUrl, new AbortController().signal);
    await query(databaseUrl, `insert into mikro_orm_migrations (name) values ('${row!.name}')`);
    await happens(
      'waiting for the migrator',
      `select from pg_stat_activity where datname = current_database()
       and wait_event_type = 'Lock' and wait_event = 'advisory'`,
    );
    await migrator.end();
    await waited;
  });

  it('that make an index beside the traffic are made once by two migrators', async () => {
    const databaseUrl = await newDatabase();
    await query(
      databaseUrl,
      `drop index attempts_check_time;
       delete from mikro_orm_migrations where name = 'Migration0003ChecksByTime'`,
    );
    await Promise.all([migrateDatabase(databaseUrl), migrateDatabase(databaseUrl)]);
    await using database = openDatabase(databaseUrl);
    const made = await database.sql.query<{ valid: boolean }>(
      `select indisvalid as valid from pg_index
       where indexrelid = 'attempts_check_time'::regclass`,
    );
    expect(made).to.deep.equal([{ valid: true }]);
  });

  it('of a newer version leave the one before running, which warns of them when it starts', async () => {
    const databaseUrl = await newDatabase();
    await query(databaseUrl, `insert into mikro_orm_migrations (name) values ('0007-newer')`);
    for (const [file, ready] of processes) {
      const lines = await linesUntil(file, settingsFor(databaseUrl), ready);
      const warned = lines.filter(({ level }) => level === 'warn');
      expect(warned.map(({ message }) => message)).to.deep.equal([
        'database migrated by a newer version',
      ]);
      expect(warned[0]).to.deep.include({ migrations: ['0007-newer'] });
      expect(warned[0]!.action).to.match(/^Replace this process/);
    }
  });

  it('give up in one sentence, and keep nobody waiting, while somebody else holds a table', async () => {
    const databaseUrl = await newDatabase();
    const holder = new pg.Client({ connectionString: databaseUrl });
    await holder.connect();
    await holder.query('begin; lock table mikro_orm_migrations in access exclusive mode');
    await expectRefusal(migrateDatabase(databaseUrl), /^Another transaction holds a table/);
    await holder.end();
    await migrateDatabase(databaseUrl);
  });
});

const processes = [
  ['api/main.ts', 'api listening'],
  ['workers/main.ts', 'workers started'],
] as const;

const scriptAt = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

async function linesUntil(path: string, settings: Record<string, string>, ready: string) {
  const child = spawn(process.execPath, [scriptAt(path)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, REDIS_URL: '', PORT: '0', ...settings },
  });
  const lines: Record<string, unknown>[] = [];
  try {
    for await (const line of createInterface(child.stderr)) {
      lines.push(JSON.parse(line));
      if (lines.at(-1)!.message === ready) return lines;
    }
    throw new Error(`${path} ended before "${ready}": ${JSON.stringify(lines)}`);
  } finally {
    await killed(child);
  }
}

async function query(databaseUrl: string, sql: string): Promise<void> {
  await using database = openDatabase(databaseUrl);
  await database.sql.query(sql);
}
