import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { isArchiveFailing } from '../../../config/observability/log-archive.ts';
import { openDatabase } from '../../../scripts/sandbox/database.ts';
import { RARELY_MS, until } from '../../support/until.ts';
import {
  archiveLog,
  type DeployedPostgres,
  hasPgbackrest,
  postgresTools,
  startDeployedPostgres,
} from './postgres-tools.ts';

describe('The backups of the database of compose.yaml', function () {
  this.timeout(180_000);
  let postgres: DeployedPostgres;
  before(async function () {
    if (!postgresTools || !hasPgbackrest) {
      process.stdout.write('\n*** No PostgreSQL or pgbackrest: the backups are SKIPPED. ***\n');
      return this.skip();
    }
    postgres = await startDeployedPostgres();
    await postgres.backUp();
  });
  after(() => postgres?.[Symbol.asyncDispose]());

  async function ask<Row>(statement: string): Promise<Row> {
    await using admin = openDatabase(postgres.adminUrl);
    const [row] = await admin.sql.query<Row>(statement);
    return row!;
  }

  const backups = async (): Promise<
    { label: string; type: string; archive: { start: string } }[]
  > => JSON.parse(await postgres.pgbackrest('info', '--output=json'))[0].backup;

  it('go on after a crash between the archiving of a piece of the log and its success', async () => {
    const piece = await archiveLog(postgres);
    await postgres.crash();
    const status = join(postgres.data, 'pg_wal/archive_status');
    await rename(join(status, `${piece}.done`), join(status, `${piece}.ready`));
    await postgres.start();
    await archiveLog(postgres);
    const { failed } = await ask<{ failed: number }>(
      'select failed_count::int as failed from pg_stat_archiver',
    );
    expect(failed).to.equal(0);
    expect((await readdir(status)).filter((name) => name.endsWith('.ready'))).to.deep.equal([]);
  });

  it('cannot be written: a figure says so until they are written again', async () => {
    await using admin = openDatabase(postgres.adminUrl);
    const isFailing = (expected: boolean) => async () =>
      (await isArchiveFailing(admin.sql)) === expected;
    await rename(postgres.repository, `${postgres.repository}-away`);
    const archived = archiveLog(postgres);
    await until('a failure', isFailing(true), RARELY_MS);
    await rename(`${postgres.repository}-away`, postgres.repository);
    await archived;
    await until('no failure', isFailing(false), RARELY_MS);
  });

  it('are taken once a day, and in full once a week', async () => {
    await postgres.backUp();
    expect((await backups()).map(({ type }) => type)).to.deep.equal(['full']);
    await rm(join(postgres.repository, 'last'));
    await postgres.backUp();
    expect((await backups()).map(({ type }) => type)).to.deep.equal(['full', 'diff']);
    for (const mark of ['last', 'last-full']) await rm(join(postgres.repository, mark));
    await postgres.backUp();
    expect((await backups()).map(({ type }) => type)).to.deep.equal(['full', 'diff', 'full']);
  });

  it('are deleted with their log once enough newer ones are kept', async () => {
    const newest = (await backups()).at(-1)!;
    await postgres.pgbackrest(
      '--repo1-retention-full-type=count',
      '--repo1-retention-full=1',
      'expire',
    );
    expect((await backups()).map(({ label }) => label)).to.deep.equal([newest.label]);
    const archive = join(postgres.repository, 'archive/payments');
    const pieces = (await readdir(archive, { recursive: true })).flatMap(
      (path) => /\/([0-9A-F]{24})-/.exec(path)?.[1] ?? [],
    );
    expect(pieces.sort()[0]).to.equal(newest.archive.start);
  });
});
