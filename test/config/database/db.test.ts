import type { PostgreSqlConnection } from '@mikro-orm/postgresql';
import { expect } from 'chai';
import { ASKS_EVERY_MS } from '../../../config/database/database-clock.ts';
import { openDatabase, type ServiceDatabase } from '../../../config/database/db.ts';
import { type Orm, openOrm } from '../../../config/database/orm.ts';
import { Tenant } from '../../../domain/accounts/entities/tenant.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import { newDatabase } from '../../support/postgres.ts';

describe('The database', () => {
  let databaseUrl: string;
  let orm: Orm;
  let db: ServiceDatabase;
  before(async () => {
    databaseUrl = await newDatabase();
  });
  beforeEach(() => open(5_000));
  afterEach(async () => {
    await db.query('delete from tenants');
    await orm.close(true);
  });

  async function open(statementTimeoutMs: number): Promise<void> {
    orm = await openOrm({ databaseUrl, poolSize: 4, statementTimeoutMs });
    db = await openDatabase(orm);
  }

  const everyConnection = (work: () => Promise<unknown>) =>
    Promise.all(Array.from({ length: 8 }, work));

  it('keeps working when a column is added to a table of prepared statements', async () => {
    const read = () => db.query('select * from charges');
    const inTransaction = () =>
      db.transaction((sql) => sql.query('select * from charges for update'));
    await everyConnection(read);
    await everyConnection(inTransaction);
    await db.query('alter table charges add column added text');
    await everyConnection(read);
    await db.query('alter table charges add column added_again text');
    await everyConnection(inTransaction);
  });

  it('keeps a connection from one question for its time to the next', async () => {
    const pool = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient();
    expect(pool.options.idleTimeoutMillis).to.be.above(ASKS_EVERY_MS);
  });

  it('writes entities in the transaction of the statements around them', async () => {
    const create = (id: string) =>
      db.transaction(async (session) => {
        const given = { time_zone: 'Africa/Lagos', requires_second_factor: false };
        const mails = { sends_receipts: false, sends_payment_links: false };
        const refunds = {
          refunds_require_second_person: false,
          refunds_require_two_owners_above_kobo: null,
        };
        const row = { id, name: 'a', ...given, ...mails, ...refunds, created_at: new Date(0) };
        const tenant = session.em.create(Tenant, row);
        await session.em.flush();
        await session.query('update tenants set time_zone = $2 where id = $1', [id, 'UTC']);
        tenant.name = 'b'; // flushed before the commit
        if (id === 'ten_refused') throw new Problem('invalid_state', 'Refused.');
      });
    await create('ten_made');
    await create('ten_refused').catch(() => {});
    expect(await db.query('select id, name, time_zone from tenants')).to.deep.equal([
      { id: 'ten_made', name: 'b', time_zone: 'UTC' },
    ]);
  });

  it('repeats a transaction after a deadlock: both commit', async () => {
    await db.query(
      "insert into tenants (id, name, created_at) values ('ten_a', 'a', now()), ('ten_b', 'b', now())",
    );
    const hold = Promise.withResolvers<void>();
    let waiting = 0;
    const rename = (first: string, second: string) =>
      db.transaction(async (sql) => {
        await sql.query('update tenants set name = name || $2 where id = $1', [first, 'x']);
        if (++waiting === 2) hold.resolve();
        await hold.promise;
        await sql.query('update tenants set name = name || $2 where id = $1', [second, 'x']);
      });
    await Promise.all([rename('ten_a', 'ten_b'), rename('ten_b', 'ten_a')]);
    expect(await db.query('select name from tenants order by id')).to.deep.equal([
      { name: 'axx' },
      { name: 'bxx' },
    ]);
  });

  it('reads a day as text and a whole number exactly', async () => {
    expect(
      await db.query("select date '2026-03-01' as day, 9007199254740991 as kobo"),
    ).to.deep.equal([{ day: '2026-03-01', kobo: Number.MAX_SAFE_INTEGER }]);
    const tooLarge = await db.query('select 9007199254740992 as kobo').catch((error) => error);
    expect(tooLarge).to.be.instanceOf(RangeError);
  });

  it('rolls back a refused change and keeps the connection', async () => {
    const pids = new Set<number>();
    for (let refusal = 0; refusal < 3; refusal++) {
      const refused = db.transaction(async (sql) => {
        const [{ pid } = { pid: 0 }] = await sql.query<{ pid: number }>(
          'select pg_backend_pid() as pid',
        );
        pids.add(pid);
        await sql.query("insert into tenants (id, name, created_at) values ('ten_a', 'a', now())");
        throw new Problem('invalid_state', 'No.');
      });
      expect(await refused.catch((error) => error.code)).to.equal('invalid_state');
    }
    expect(await db.query('select 1 from tenants')).to.deep.equal([]);
    expect(pids.size).to.equal(1);
  });

  it('ends an idle transaction', async () => {
    await orm.close(true);
    await open(200);
    const left = db.transaction(async (sql) => {
      await sql.query('select 1');
      await new Promise((resolve) => setTimeout(resolve, 500));
      await sql.query('select 2');
    });
    expect(await left.catch((error) => error.code ?? error.message)).to.match(
      /25P03|57P0|terminat|connection error/i,
    );
    expect(await db.query('select 3 as three')).to.deep.equal([{ three: 3 }]);
  });
});
