import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { isArchiveFailing, lastBackupAt } from '../../../config/observability/log-archive.ts';
import { listNamedConnections } from '../../../domain/accounts/connection/connection.ts';
import { lagosDay } from '../../../domain/shared/lagos.ts';
import { migrateDatabase } from '../../../scripts/migrate-database.ts';
import { ops } from '../../../scripts/ops/program.ts';
import { reconcileOne } from '../../../scripts/reconcile/run.ts';
import { openDatabase } from '../../../scripts/sandbox/database.ts';
import { type Sandbox, startSandbox } from '../../../scripts/sandbox/sandbox.ts';
import { type ApiClient, apiClient } from '../../support/api.ts';
import { expectBooks } from '../../support/books.ts';
import { createClock, MINUTE } from '../../support/clock.ts';
import { newDatabase } from '../../support/postgres.ts';
import { runHere } from '../../support/run-here.ts';
import { sandboxControl } from '../../support/sandbox-control.ts';
import { settingsFor } from '../../support/settings.ts';
import { type Stack, startStack, type TestTenant } from '../../support/stack.ts';
import { RARELY_MS, until } from '../../support/until.ts';
import { archiveLog, useDeployedPostgres } from './postgres-tools.ts';

const secondOf = (at: Date) => Math.floor(at.getTime() / 1_000);

describe('A deployed database', function () {
  this.timeout(180_000);
  /** The providers: what they know is not restored. */
  let world: { sandbox: Sandbox; database: ReturnType<typeof openDatabase> };
  let stack: Stack;
  let tenant: TestTenant;
  let api: ApiClient;
  const clock = createClock();

  before(async () => {
    const database = openDatabase(await newDatabase());
    const options = { sql: database.sql, port: 0, now: clock, random: Math.random };
    world = { sandbox: await startSandbox(options), database };
  });
  after(async () => {
    await world.sandbox.close();
    await world.database[Symbol.asyncDispose]();
  });
  const stopService = async () => stack?.[Symbol.asyncDispose]();

  async function startService(databaseUrl: string, known?: TestTenant): Promise<void> {
    stack = await startStack({ env: { databaseUrl } });
    stack.clock.advance(clock().getTime() - stack.clock().getTime());
    stack.context.env.sandboxUrl = world.sandbox.url;
    tenant = known ?? (await stack.newTenant());
    api = apiClient(stack.baseUrl, tenant.secret_key_test);
  }

  async function collect(reference: string): Promise<string> {
    const created = await api.post('/charges', {
      amount_kobo: 100_000,
      email: 'a@b.example',
      reference,
    });
    expect(created.status, created.text).to.equal(201);
    await stack.settle();
    await sandboxControl(world.sandbox.url).pay(created.json.reference, { notify: false });
    const { json } = await api.get(`/charges/${created.json.reference}`);
    expect(json.status).to.equal('completed');
    await stack.settle();
    return created.json.reference;
  }

  async function readOn(cursor: string) {
    const path = `/events${cursor && `?cursor=${encodeURIComponent(cursor)}`}`;
    const { json } = await api.get(path);
    const references = json.data.map(({ data }: any) => data.merchant_reference);
    return { references, cursor: json.next_cursor as string };
  }

  /** Compares with the provider's list; returns the discrepancies that are open then. */
  async function auditPayments(): Promise<any[]> {
    const { context } = stack;
    const [connection] = await listNamedConnections(context.db, tenant.tenant_id);
    const from = lagosDay(clock());
    stack.clock.advance(20 * MINUTE); // what is younger may still be notified
    const never = new AbortController().signal;
    await reconcileOne(context, connection!, { from, to: lagosDay(stack.clock()) }, never);
    return (await api.get('/discrepancies?status=open&limit=100')).json.data;
  }

  const countTransactions = (count: number) =>
    stack.context.db.query(
      `do $$ begin for n in 1..${count} loop perform pg_current_xact_id(); commit; end loop; end $$`,
    );

  describe('that is restored to a moment', () => {
    let lost: string;
    after(stopService);
    const postgres = useDeployedPostgres({ backups: true });
    before(() => startService(postgres.url));

    it('goes on: nothing before the moment is lost, and the feed skips nothing for a reader ahead of it', async () => {
      await collect('before-backup');
      await postgres.backUp();
      const backedUpAt = secondOf(new Date());
      await collect('before-moment');
      // pgBackRest knows the end of a backup to the second, and restores to later ones only.
      await until('a later second', async () => secondOf(new Date()) > backedUpAt, RARELY_MS);
      await pause(50);
      const moment = new Date();
      await pause(50);
      await countTransactions(5_000);
      lost = await collect('lost');
      const seen = await readOn('');
      expect(seen.references).to.deep.equal(['before-backup', 'before-moment', 'lost']);
      await archiveLog(postgres);
      await stopService();
      await postgres.lose();

      await postgres.restore(moment);
      await migrateDatabase(postgres.ownerUrl, new Date(), true);
      await startService(postgres.url, tenant);
      await collect('after-restore');
      expect((await readOn(seen.cursor)).references).to.deep.equal(['after-restore']);
      const all = (await readOn('')).references;
      expect(all).to.deep.equal(['before-backup', 'before-moment', 'after-restore']);
    });

    it('knows a lost charge no more, and gives its number to no other', async () => {
      expect((await api.get('/charges?merchant_reference=lost')).status).to.equal(404);
      expect((await api.get(`/charges/${lost}`)).status).to.equal(404);
    });

    it('is told by the audit of payments what the provider knows and it does not', async () => {
      const found = await auditPayments();
      expect(found).to.have.length(1);
      expect(found[0]).to.include({ kind: 'never_notified', amount_kobo: 100_000 });
      expect(found[0].reference).to.match(new RegExp(`^${lost}-`));
    });

    describe('has backups that', () => {
      before(stopService);

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

      it('are taken once a day, and in full once a week, and tell the database of it', async () => {
        await using service = openDatabase(postgres.url);
        const last = join(postgres.repository, 'last');
        await postgres.backUp();
        expect((await backups()).map(({ type }) => type)).to.deep.equal(['full']);
        await rm(last);
        await postgres.backUp();
        expect(secondOf((await lastBackupAt(service.sql))!)).to.equal(
          secondOf((await stat(last)).mtime),
        );
        expect((await backups()).map(({ type }) => type)).to.deep.equal(['full', 'diff']);
        for (const mark of ['last', 'last-full']) await rm(join(postgres.repository, mark));
        await postgres.backUp();
        expect((await backups()).map(({ type }) => type)).to.deep.equal(['full', 'diff', 'full']);
      });

      it('are proved: the newest is restored beside the running database, and its journal agrees', async () => {
        const check = () =>
          runHere(ops, ['restore-check', '--folder', postgres.dir], {
            ...settingsFor(postgres.url),
            ...postgres.settings,
          });
        const before = await readdir(postgres.dir);
        const proved = await check();
        expect(proved, proved.stderr).to.include({ code: 0, stderr: '' });
        expect(proved.stdout).to.match(
          /^The newest backup can be restored, with all until \S+Z\. The journal agrees with every record of \d+ connections\.\n$/,
        );
        await using admin = openDatabase(postgres.adminUrl);
        await admin.sql.query('update captures set amount_kobo = amount_kobo + 1');
        await archiveLog(postgres);
        const refuted = await check();
        expect(refuted.code, refuted.stderr).to.equal(3);
        expect(refuted.stdout).to.match(/ The journal differs from \d+ records: /);
        await admin.sql.query('update captures set amount_kobo = amount_kobo - 1');
        expect(await readdir(postgres.dir)).to.have.members(before);
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
  });

  describe('that is lost with its machine while customers pay', () => {
    after(stopService);
    const postgres = useDeployedPostgres({ backups: true });
    before(() => startService(postgres.url));

    it('keeps every payment whose log was archived, and the audit finds all others, each once', async () => {
      /** By its reference, a place of the log that is not before the commit of its payment. */
      const paid = new Map<string, string>();
      await using admin = openDatabase(postgres.adminUrl);
      const ask = async (expression: string) =>
        (await admin.sql.query<{ told: any }>(`select ${expression} as told`))[0]!.told;
      const payMore = async (customers: number) => {
        const pay = async () => {
          const reference = await collect(`order-${randomUUID()}`);
          paid.set(reference, await ask('pg_current_wal_lsn()::text'));
        };
        await Promise.all(Array.from({ length: customers }, pay));
      };
      await payMore(2);
      await Promise.all([postgres.backUp(), payMore(6), payMore(6)]);
      await Promise.all([archiveLog(postgres), payMore(6)]);
      // From here on no piece is archived before it is full.
      await admin.sql.query('alter system set archive_timeout = 0');
      await ask('pg_reload_conf()');
      const last = await archiveLog(postgres);
      await payMore(6);
      const isKept = await Promise.all(
        [...paid.values()].map((at) => ask(`pg_walfile_name('${at}') <= '${last}'`)),
      );
      const kept = [...paid.keys()].filter((_, n) => isKept[n]);
      expect([paid.size, kept.length]).to.deep.equal([26, 20]);
      await stopService();
      await postgres.lose();

      await postgres.restore();
      await migrateDatabase(postgres.ownerUrl, new Date(), true);
      await startService(postgres.url, tenant);
      const answers = [...paid.keys()].map((reference) => api.get(`/charges/${reference}`));
      const known = (await Promise.all(answers)).filter(({ json }) => json.status === 'completed');
      expect(known.map(({ json }) => json.reference)).to.deep.equal(kept);
      await expectBooks(stack.context.db);
      const found = (await auditPayments()).filter(({ kind }) => kind === 'never_notified');
      const lost = [...paid.keys()].filter((reference) => !kept.includes(reference));
      const foundOf = found.map(({ reference }) => reference.replace(/-[^-]*$/, ''));
      expect(foundOf.sort()).to.deep.equal(lost.sort());
    });
  });

  describe('that fails over to its replica', () => {
    after(stopService);
    const postgres = useDeployedPostgres();
    before(() => startService(postgres.url));

    it('goes on: a migration started meanwhile waits, and a reader who saw more than the replica has skips nothing', async () => {
      await collect('replicated');
      await postgres.replicate();
      await postgres.stopReplica();
      await countTransactions(5_000);
      await collect('not-replicated');
      const seen = await readOn('');
      expect(seen.references).to.deep.equal(['replicated', 'not-replicated']);
      await stopService();
      await postgres.lose();
      await postgres.startReplica();
      const migrated = migrateDatabase(postgres.ownerUrl); // waits for the promotion
      await postgres.promoteReplica();
      await migrated;
      await startService(postgres.url, tenant);
      await collect('after-promotion');
      expect((await readOn(seen.cursor)).references).to.deep.equal(['after-promotion']);
      expect((await readOn('')).references).to.deep.equal(['replicated', 'after-promotion']);
    });
  });
});
