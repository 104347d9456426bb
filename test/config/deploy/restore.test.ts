import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { listNamedConnections } from '../../../domain/accounts/connection/connection.ts';
import { lagosDay } from '../../../domain/shared/lagos.ts';
import { migrateDatabase } from '../../../scripts/migrate-database.ts';
import { reconcileOne } from '../../../scripts/reconcile/run.ts';
import { openDatabase } from '../../../scripts/sandbox/database.ts';
import { type Sandbox, startSandbox } from '../../../scripts/sandbox/sandbox.ts';
import { prepareSchema } from '../../../scripts/sandbox/schema.ts';
import { type ApiClient, apiClient } from '../../support/api.ts';
import { createClock, MINUTE } from '../../support/clock.ts';
import { newDatabase } from '../../support/postgres.ts';
import { sandboxControl } from '../../support/sandbox-control.ts';
import { type Stack, startStack, type TestTenant } from '../../support/stack.ts';
import { RARELY_MS, until } from '../../support/until.ts';
import {
  archiveLog,
  type DeployedPostgres,
  hasPgbackrest,
  postgresTools,
  startDeployedPostgres,
} from './postgres-tools.ts';

const secondOf = (at: Date) => Math.floor(at.getTime() / 1_000);

describe('A database with a backup and a replica', function () {
  this.timeout(180_000);
  let postgres: DeployedPostgres | undefined;
  /** The providers: what they know is not restored. */
  let world: { sandbox: Sandbox; database: ReturnType<typeof openDatabase> };
  let stack: Stack;
  let tenant: TestTenant;
  let api: ApiClient;
  let url: string;
  let ownerUrl: string;
  let lost: string;
  const clock = createClock();

  async function setUp(this: Mocha.Context): Promise<void> {
    if (!postgresTools) {
      process.stdout.write('\n*** No PostgreSQL with its tools: the restore is SKIPPED. ***\n');
      this.skip();
    }
    postgres = await startDeployedPostgres();
    ({ url, ownerUrl } = postgres);
    await migrateDatabase(ownerUrl, new Date());
    await using own = openDatabase(ownerUrl);
    await prepareSchema(own.sql);
    const database = openDatabase(await newDatabase());
    const sandbox = await startSandbox({
      sql: database.sql,
      port: 0,
      now: clock,
      random: Math.random,
    });
    world = { sandbox, database };
    await startService();
    tenant = await stack.newTenant();
    api = apiClient(stack.baseUrl, tenant.secret_key_test);
  }
  async function tearDown(): Promise<void> {
    await stack?.[Symbol.asyncDispose]();
    await world?.sandbox.close();
    await world?.database[Symbol.asyncDispose]();
    await postgres?.[Symbol.asyncDispose]();
  }

  async function startService(): Promise<void> {
    stack = await startStack({ env: { databaseUrl: url } });
    stack.clock.advance(clock().getTime() - stack.clock().getTime());
    stack.context.env.sandboxUrl = world.sandbox.url;
    if (tenant) api = apiClient(stack.baseUrl, tenant.secret_key_test);
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

  const countTransactions = (count: number) =>
    stack.context.db.query(
      `do $$ begin for n in 1..${count} loop perform pg_current_xact_id(); commit; end loop; end $$`,
    );

  describe('that is restored to a moment', () => {
    before(async function () {
      if (!hasPgbackrest) {
        process.stdout.write('\n*** No pgbackrest: the restore is SKIPPED. ***\n');
        this.skip();
      }
      await setUp.call(this);
    });
    after(tearDown);

    it('goes on: nothing before the moment is lost, and the feed skips nothing for a reader ahead of it', async () => {
      await collect('before-backup');
      await postgres!.backUp();
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
      await archiveLog(postgres!);
      await stack[Symbol.asyncDispose]();
      await postgres!.lose();

      await postgres!.restore(moment);
      await migrateDatabase(ownerUrl, new Date(), true);
      await startService();
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
      const { context } = stack;
      const [connection] = await listNamedConnections(context.db, tenant.tenant_id);
      const from = lagosDay(clock());
      stack.clock.advance(20 * MINUTE); // what is younger may still be notified
      const never = new AbortController().signal;
      await reconcileOne(context, connection!, { from, to: lagosDay(stack.clock()) }, never);
      const { json } = await api.get('/discrepancies?status=open');
      expect(json.data).to.have.length(1);
      expect(json.data[0]).to.include({ kind: 'never_notified', amount_kobo: 100_000 });
      expect(json.data[0].reference).to.match(new RegExp(`^${lost}-`));
    });
  });

  describe('that fails over to its replica', () => {
    before(setUp);
    after(tearDown);

    it('goes on: a migration started meanwhile waits, and a reader who saw more than the replica has skips nothing', async () => {
      await collect('replicated');
      await postgres!.replicate();
      await postgres!.stopReplica();
      await countTransactions(5_000);
      await collect('not-replicated');
      const seen = await readOn('');
      expect(seen.references).to.deep.equal(['replicated', 'not-replicated']);
      await stack[Symbol.asyncDispose]();
      await postgres!.lose();
      await postgres!.startReplica();
      const migrated = migrateDatabase(ownerUrl); // waits for the promotion
      await postgres!.promoteReplica();
      await migrated;
      await startService();
      await collect('after-promotion');
      expect((await readOn(seen.cursor)).references).to.deep.equal(['after-promotion']);
      expect((await readOn('')).references).to.deep.equal(['replicated', 'after-promotion']);
    });
  });
});
