import { expect } from 'chai';
import winston from 'winston';
import type { Context } from '../../../config/context.ts';
import { openDatabase, type ServiceDatabase } from '../../../config/database/db.ts';
import { openOrm } from '../../../config/database/orm.ts';
import { openReadReplica, type ReadReplica } from '../../../config/database/read-replica.ts';
import { supportColumns } from '../../../config/database/support-role.ts';
import { partitionedTables } from '../../../domain/partitioned-tables.ts';
import { openDatabase as openPlain } from '../../../scripts/sandbox/database.ts';
import { runHousekeeping } from '../../../workers/housekeeping.ts';
import { newCharge } from '../../support/charges.ts';
import { DAY } from '../../support/clock.ts';
import { openProviderAccount } from '../../support/provider-account.ts';
import { approvedRefund, refundRow } from '../../support/refunds.ts';
import { type Stack, startStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { useDeployedPostgres } from './postgres-tools.ts';

const log = winston.createLogger({ silent: true });
const pool = { poolSize: 5, statementTimeoutMs: 10_000 };
const PORT = `select current_setting('port') as port`;

describe('PostgreSQL as it is deployed', function () {
  this.timeout(180_000);
  const postgres = useDeployedPostgres();

  describe('with a streaming replica has reads that', () => {
    const scope = new AsyncDisposableStack();
    let primary: ServiceDatabase;
    let replicaUrl: string;
    let replica: ReadReplica;
    let admin: ReturnType<typeof openPlain>;

    before(async () => {
      const url = postgres.adminUrl;
      const of = new URL(url);
      of.port = String(await postgres.replicate());
      replicaUrl = of.href;
      const orm = await openOrm({ databaseUrl: url, ...pool });
      scope.defer(() => orm.close(true));
      primary = await openDatabase(orm);
      replica = scope.use(openReadReplica(primary, { databaseUrl: replicaUrl, ...pool }, log));
      admin = scope.use(openPlain(replicaUrl));
      await primary.query('create table seen (n int)');
    });
    after(() => scope.disposeAsync());

    const isOnReplica = async (read = replica.read) => {
      const [row] = await read((db) => db.query<{ port: string }>(PORT));
      return row!.port === new URL(replicaUrl).port;
    };

    it('run on the replica, and find whatever was committed before', async () => {
      await until('a read on the replica', () => isOnReplica());
      for (let n = 1; n <= 50; n++) {
        await primary.query('insert into seen values ($1)', [n]);
        const [row] = await replica.read((db) =>
          db.query<{ most: number }>('select max(n) as most from seen'),
        );
        expect(row!.most).to.equal(n);
      }
      await until('a read on the replica', () => isOnReplica());
    });

    it('run on the primary while the replica is behind, and find no less there', async () => {
      await admin.sql.query('select pg_wal_replay_pause()');
      await primary.query('insert into seen values (100)');
      const rows = await replica.read((db) => db.query('select 1 from seen where n = 100'));
      expect(rows).to.have.length(1);
      expect(await isOnReplica()).to.equal(false);
      await admin.sql.query('select pg_wal_replay_resume()');
      await until('a read on the replica', () => isOnReplica());
    });

    it('run on the primary when a statement fails on the replica', async () => {
      const rows = await replica.read((db) =>
        db.query('insert into seen values (200) returning n'),
      );
      expect(rows).to.deep.equal([{ n: 200 }]);
      expect(await isOnReplica(), 'for a moment').to.equal(false);
      await until('a read on the replica', () => isOnReplica());
    });

    it('end with the error of a bad value, which the primary would answer too', async () => {
      await until('a read on the replica', () => isOnReplica());
      let asked = 0;
      const bad = replica.read((db) => {
        asked += 1;
        return db.query(`select 'a'::int`);
      });
      const error = await bad.catch((thrown: unknown) => thrown);
      expect(error).to.include({ code: '22P02' });
      expect(asked, 'not on the primary as well').to.equal(1);
    });

    it('run on the primary where the address leads to another database of its replica', async () => {
      const other = new URL(replicaUrl);
      other.pathname = '/postgres';
      await using wrong = openReadReplica(primary, { databaseUrl: other.href, ...pool }, log);
      await using right = openReadReplica(primary, { databaseUrl: replicaUrl, ...pool }, log);
      await until('a read on the one opened later', () => isOnReplica(right.read));
      const database = async () => {
        const [row] = await wrong.read((db) =>
          db.query<{ name: string }>('select current_database() as name'),
        );
        return row!.name;
      };
      for (let read = 0; read < 20; read++) expect(await database()).to.equal('payments');
    });

    it('show a charge in the list as soon as it is created', async () => {
      const env = { databaseUrl: postgres.adminUrl, readDatabaseUrl: replicaUrl };
      await using stack = await startStack({ workers: false, env });
      for (let made = 1; made <= 5; made++) {
        await newCharge(stack);
        expect((await stack.api.get('/transactions')).json.data).to.have.length(made);
      }
      const { log, read } = stack.context;
      const { warn } = log;
      const warned: string[] = [];
      using _log = { [Symbol.dispose]: () => void Object.assign(log, { warn }) };
      log.warn = ((line: string) => void warned.push(line)) as never;
      for (const list of ['refunds', 'settlements', 'discrepancies', 'reviews', 'payment-links']) {
        await until('a read on the replica', () => isOnReplica(read));
        expect((await stack.api.get(`/${list}`)).status, list).to.equal(200);
      }
      expect(warned, 'no list failed there').to.deep.equal([]);
    });

    it('run on the primary when the replica was promoted: it is another database by then', async () => {
      await postgres.promoteReplica();
      expect(await isOnReplica()).to.equal(false);
    });

    it('run on the primary while the replica is away, also from the start', async () => {
      await postgres.stopReplica();
      expect(await isOnReplica()).to.equal(false);
      await using late = openReadReplica(primary, { databaseUrl: replicaUrl, ...pool }, log);
      expect(await isOnReplica(late.read)).to.equal(false);
    });
  });

  it('shows support where payments are: no payer, no secret, and nothing to change', async () => {
    await using stack = await startStack({ workers: false, env: { databaseUrl: postgres.url } });
    const { reference } = await newCharge(stack);
    await using support = openPlain(postgres.supportUrl);
    const ask = (statement: string) =>
      support.sql.query<any>(statement).catch(({ code }: { code: string }) => code);
    for (const [table, columns] of Object.entries(supportColumns()))
      expect(await ask(`select ${columns.join(', ')} from ${table}`), table).to.be.an('array');
    const number = reference.slice(3);
    expect(await ask(`select status from charges where number = ${number}`)).to.deep.equal([
      { status: 'initiated' },
    ]);
    const refused = [
      ...[
        'select email from charges',
        'select * from charges',
        'select secret from webhook_endpoints',
      ],
      ...['select 1 from user_tokens', 'select 1 from credentials'],
      `select drop_partition('events', 'events_20260101')`,
    ];
    for (const statement of refused) expect(await ask(statement), statement).to.equal('42501');
    expect(await ask('show statement_timeout')).to.deep.equal([{ statement_timeout: '30s' }]);
    expect(await ask('delete from charges'), 'by default').to.equal('25006');
    const writing = 'set default_transaction_read_only = off; commit;';
    for (const statement of [
      'delete from charges',
      'create temp table own (n int)',
      'create table own (n int)',
    ])
      expect(await ask(`${writing} ${statement}`), statement).to.equal('42501');
  });

  describe('serves a role that owns nothing, which', () => {
    let stack: Stack;
    before(async () => {
      const env = { databaseUrl: postgres.url, partitionDaysAhead: 28 };
      stack = await startStack({ queues: 'postgres', payouts: true, env });
    });
    after(() => stack?.[Symbol.asyncDispose]());

    const ask = <Row>(statement: string) => stack.context.db.query<Row>(statement);

    it('is no superuser, owns nothing, and can make and change no table', async () => {
      const [role] = await ask(
        `select current_user as name, rolsuper, rolcreatedb, rolcreaterole, rolreplication,
           rolbypassrls from pg_roles where rolname = current_user`,
      );
      expect(role).to.deep.equal({
        name: 'payments_service',
        ...{ rolsuper: false, rolcreatedb: false, rolcreaterole: false },
        ...{ rolreplication: false, rolbypassrls: false },
      });
      const owned = await ask(
        `select objid::text from pg_shdepend where deptype = 'o' and refobjid = current_user::regrole`,
      );
      expect(owned).to.deep.equal([]);
      for (const statement of [
        'create table own (n int)',
        'create schema own',
        'alter table charges add column own int',
        'drop table events',
        'truncate charges',
      ])
        expect(await refusalOf(statement), statement).to.equal('42501');
    });

    it('changes partitions of ours, and no other table', async () => {
      for (const name of ['charges', 'events_default', 'events_2026', 'deliveries_20260101'])
        expect(await refusalOf(`select drop_partition('events', '${name}')`), name).to.equal(
          'P0001',
        );
      const charges = `select create_partition('charges', 'charges_20260101', 'a', 'b')`;
      expect(await refusalOf(charges)).to.equal('P0001');
    });

    it('collects, refunds, reconciles, and reports what is short', async () => {
      const account = await openProviderAccount({ stack, name: 'paystack', slot: 'provider_a' });
      const [charge] = await account.payCharges(500_000, 100_000);
      const refund = await approvedRefund(account.stack, charge!);
      await account.payOutAndReconcile({ short_by_kobo: 1_000 });
      expect(await refundRow(stack, refund)).to.include({ status: 'completed' });
      expect(await account.settlement('short')).to.include({ provider: 'provider_a' });
      expect(await account.discrepancy()).to.include({ amount_kobo: 1_000 });
    });

    it('creates and drops the partitions of years', async () => {
      const { context, clock } = stack;
      const before = await partitions(context);
      clock.advance(500 * DAY);
      expect((await runHousekeeping(context)).failed).to.deep.equal([]);
      const after = await partitions(context);
      for (const { table, keptDays } of partitionedTables) {
        const isOf = (name: string) => name.startsWith(`${table}_2`);
        expect(
          after.some((name) => isOf(name) && !before.includes(name)),
          table,
        ).to.equal(true);
        const areAllKept = before.filter(isOf).every((name) => after.includes(name));
        expect(areAllKept, `${table}, kept ${keptDays} days`).to.equal(keptDays === null);
      }
    });

    async function refusalOf(statement: string): Promise<string | undefined> {
      const refused = await ask(statement).catch(({ code }: { code: string }) => code);
      return typeof refused === 'string' ? refused : undefined;
    }
  });
});

async function partitions({ db }: Context): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select relname as name from pg_class where relispartition and relkind = 'r'`,
  );
  return rows.map(({ name }) => name);
}
