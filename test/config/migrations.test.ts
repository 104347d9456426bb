import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import pg from 'pg';
import { SetupError } from '../../config/setup-error.ts';
import { migrateDatabase } from '../../scripts/migrate-database.ts';
import { killed } from '../support/kill.ts';
import { newDatabase } from '../support/postgres.ts';
import { run } from '../support/run.ts';

describe('migrations', () => {
  it('refuse, in one sentence, a database made by an earlier build', async () => {
    const databaseUrl = await newDatabase();
    await query(databaseUrl, `update mikro_orm_migrations set name = 'Migration0001Charges'`);
    const refusal = await migrateDatabase(databaseUrl).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(SetupError);
    expect((refusal as SetupError).message).to.match(/^[^.]+LOCAL_DIR[^.]+\.$/);
  });

  it('are refused, in one sentence, by an old version on a database that a newer one migrated', async () => {
    const databaseUrl = await newDatabase();
    await query(databaseUrl, `insert into mikro_orm_migrations (name) values ('0007-newer')`);
    const { code, stderr } = await run([scriptAt('scripts/migrate.ts')], settingsOf(databaseUrl));
    expect([code, stderr.trim()]).to.deep.equal([
      1,
      'The database was migrated to "0007-newer" by a newer version of the service and was not ' +
        'changed: run `npm run migrate` of that version or of a later one.',
    ]);
  });

  it('of a newer version leave the one before running, which warns of them when it starts', async () => {
    const databaseUrl = await newDatabase();
    await query(databaseUrl, `insert into mikro_orm_migrations (name) values ('0007-newer')`);
    for (const [file, ready] of processes) {
      const lines = await linesUntil(file, settingsOf(databaseUrl), ready);
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
    const refusal = await migrateDatabase(databaseUrl).catch((error: unknown) => error);
    await holder.end();
    expect(refusal).to.be.instanceOf(SetupError);
    expect((refusal as SetupError).message).to.match(/^Another transaction holds a table/);
    await migrateDatabase(databaseUrl);
  });

  it('of queues by a newer version are named in one sentence by whatever cannot use them', async () => {
    const databaseUrl = await newDatabase();
    await query(databaseUrl, 'update bullmq.migration set min_client_version = 99');
    for (const file of ['scripts/migrate.ts', ...processes.map(([path]) => path)]) {
      const { code, stderr } = await run([scriptAt(file)], settingsOf(databaseUrl));
      expect([code, stderr.trim()], file).to.deep.equal([
        1,
        'The queues in the database were made by a newer version of the service, and this one ' +
          'cannot use them: run that version or a later one.',
      ]);
    }
  });
});

const processes = [
  ['api/main.ts', 'api listening'],
  ['workers/main.ts', 'workers started'],
] as const;

const scriptAt = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const settingsOf = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  MASTER_KEY: `test:${Buffer.alloc(32, 7).toString('base64')}`,
  PORT: '0',
});

async function linesUntil(path: string, settings: Record<string, string>, ready: string) {
  const child = spawn(process.execPath, [scriptAt(path)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, REDIS_URL: '', ...settings },
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
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}
