import { expect } from 'chai';
import { partitionedTables } from '../../../domain/partitioned-tables.ts';
import { newId } from '../../../domain/shared/ids.ts';
import {
  createPartitions,
  dropOldPartitions,
  type Partitioned,
} from '../../../domain/shared/partitions.ts';
import type { Sql } from '../../../domain/shared/sql.ts';
import { publishEvent } from '../../../domain/webhooks/event/publish.ts';
import { createClock, DAY, type TestClock } from '../../support/clock.ts';
import { whileHeld } from '../../support/contention.ts';
import { useLedgerForEach } from '../ledger.ts';

const AHEAD_DAYS = 28;
const deliveries = tableNamed('deliveries');

function tableNamed(name: string): Partitioned {
  return partitionedTables.find(({ table }) => table === name)!;
}

describe('Partitions', () => {
  const ledger = useLedgerForEach();
  let clock: TestClock;
  beforeEach(async () => {
    clock = createClock(new Date('2027-03-20T10:00:00Z'));
    for (const { relname } of await ledger.rows(
      `select relname from pg_class where relispartition and relkind = 'r'
       and relname !~ '_default$'`,
    ))
      await ledger.rows(`drop table ${relname}`);
  });

  const create = (table = deliveries) =>
    createPartitions({ db: ledger.db, now: clock() }, table, AHEAD_DAYS);
  const drop = (table = deliveries) => dropOldPartitions({ db: ledger.db, now: clock() }, table);

  async function addDelivery(status = 'delivered', sql: Sql = ledger.db): Promise<string> {
    const id = newId('dlv', clock());
    await sql.query(
      `insert into deliveries (id, endpoint_id, tenant_id, mode, status, created_at)
       values ($1, 'whe', 'ten', 'test', $2, $3)`,
      [id, status, clock()],
    );
    return id;
  }
  const partitionOf = async (id: string) =>
    (
      await ledger.rows('select tableoid::regclass::text as name from deliveries where id = $1', id)
    )[0]?.name;

  it('are created for now and the next four weeks, once', async () => {
    for (const table of partitionedTables) {
      expect(await create(table), table.table).to.be.within(2, 5);
      expect(await create(table), table.table).to.equal(0);
      clock.advance((table.periodDays + AHEAD_DAYS) * DAY);
      expect(await create(table), `${table.table} later`).to.be.greaterThan(0);
    }
  });

  it('take the rows of their time, also those written before they were created', async () => {
    const early = await addDelivery();
    expect(await partitionOf(early)).to.equal('deliveries_default');
    await create();
    const late = await addDelivery();
    expect(await partitionOf(early)).to.match(/^deliveries_\d{8}$/);
    expect(await partitionOf(late)).to.equal(await partitionOf(early));
  });

  it('take a row that is written at the moment they are created', async () => {
    let id = '';
    await whileHeld(
      { context: ledger },
      async (sql) => {
        id = await addDelivery('delivered', sql);
      },
      () => [create()],
    );
    expect(await partitionOf(id)).to.match(/^deliveries_\d{8}$/);
  });

  it('are left for later where others use the table for long, so that nobody waits behind them', async () => {
    await ledger.db.transaction(async (sql) => {
      await sql.query('select from deliveries');
      const late = await create().catch((error: Error) => error);
      expect((late as Error).message).to.include('lock timeout');
    });
  });

  it('leave rows of another time in the default partition', async () => {
    const early = await addDelivery();
    clock.advance(120 * DAY);
    await create();
    expect(await partitionOf(early)).to.equal('deliveries_default');
  });

  it('keep the order of a timeline when entries move into them', async () => {
    const { id } = await ledger.newCharge();
    const add = (what: string) =>
      ledger.rows(
        `insert into timeline_entries (id, charge_id, at, what) values ($1, $2, now(), $3)`,
        newId('tle', clock()),
        id,
        what,
      );
    await add('before');
    clock = createClock(new Date());
    await create(tableNamed('timeline_entries'));
    await add('after');
    const entries = await ledger.rows(
      `select what, tableoid::regclass::text as name from timeline_entries where charge_id = $1
       order by position`,
      id,
    );
    expect(entries.slice(-2).map(({ what }) => what)).to.deep.equal(['before', 'after']);
    expect(new Set(entries.map(({ name }) => name))).to.have.property('size', 1);
  });

  it('hand rows that are still needed to the default partition', async () => {
    await create();
    const [pending, delivered] = [await addDelivery('pending'), await addDelivery()];
    clock.advance((deliveries.keptDays! + deliveries.periodDays) * DAY);
    await drop();
    expect(await partitionOf(pending)).to.equal('deliveries_default');
    expect(await partitionOf(delivered)).to.equal(undefined);
  });

  it('are left to another process that creates or drops some', async () => {
    await ledger.db.transaction(async (sql) => {
      await sql.query('select pg_advisory_xact_lock(7201003)');
      expect(await create()).to.equal(0);
    });
    expect(await create()).to.be.greaterThan(0);
  });

  it('let a charge succeed once, also across their bounds', async () => {
    const { id } = await ledger.newCharge();
    const succeed = () =>
      ledger.tx((tx) =>
        publishEvent(tx, {
          ...{ tenantId: 'ten', mode: 'test', type: 'charge.succeeded', subjectId: id, data: {} },
        }),
      );
    await createPartitions({ db: ledger.db, now: ledger.clock() }, tableNamed('events'), 0);
    await succeed();
    ledger.clock.advance(40 * DAY);
    await createPartitions({ db: ledger.db, now: ledger.clock() }, tableNamed('events'), 0);
    const refusal = await succeed().catch(({ message }: Error) => message);
    expect(refusal).to.equal(`${id} has succeeded before.`);
    expect(await ledger.rows(`select 1 from events where subject_id = $1`, id)).to.have.length(1);
  });
});
