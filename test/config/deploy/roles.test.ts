import { expect } from 'chai';
import type { Context } from '../../../config/context.ts';
import { partitionedTables } from '../../../domain/partitioned-tables.ts';
import { runHousekeeping } from '../../../workers/housekeeping.ts';
import { DAY } from '../../support/clock.ts';
import { openProviderAccount } from '../../support/provider-account.ts';
import { approvedRefund, refundRow } from '../../support/refunds.ts';
import { type Stack, startStack } from '../../support/stack.ts';
import { useDeployedPostgres } from './postgres-tools.ts';

describe('The service as the role that owns nothing', function () {
  this.timeout(180_000);
  const postgres = useDeployedPostgres();
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
      expect(await refusalOf(`select drop_partition('events', '${name}')`), name).to.equal('P0001');
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

async function partitions({ db }: Context): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select relname as name from pg_class where relispartition and relkind = 'r'`,
  );
  return rows.map(({ name }) => name);
}
