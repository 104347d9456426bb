import { expect } from 'chai';
import { openDatabase } from '../../../scripts/sandbox/database.ts';
import { newCharge, stored } from '../../support/charges.ts';
import { HOUR } from '../../support/clock.ts';
import { newDatabase } from '../../support/postgres.ts';
import { expectNoLeaks, startStack } from '../../support/stack.ts';
import { testRedisUrl } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { type Pgbouncer, startPgbouncer } from './pgbouncer.ts';

/** Fewer than the service has of its own, so that they change hands. */
const CONNECTIONS = 4;
const CHARGES = 10;

describe('Behind a pooler in transaction mode', () => {
  const scope = new AsyncDisposableStack();
  let databaseUrl: string;
  let pooler: Pgbouncer;
  before(async function () {
    if (!testRedisUrl()) return this.skip();
    databaseUrl = await newDatabase();
    const started = await startPgbouncer(databaseUrl, CONNECTIONS);
    if (!started) {
      process.stdout.write('\n*** No pgbouncer: the pooler is SKIPPED. ***\n');
      return this.skip();
    }
    pooler = scope.use(started);
  });
  after(() => scope.disposeAsync());

  const start = () =>
    startStack({
      queues: 'redis',
      payouts: true,
      env: { databaseUrl: pooler.url, databaseIsPooled: true },
    });

  it('the service does not start while the role has no longest time of a statement', async () => {
    const refused = await start().catch(({ message }: Error) => message);
    expect(refused).to.match(/^Behind a pooler the role must bound its statements/);
  });

  it('charges are created together, paid, delivered, settled and listed', async () => {
    await limitStatements();
    await using stack = await start();
    const charges = await Promise.all(Array.from({ length: CHARGES }, () => newCharge(stack)));
    await stack.settle();
    await Promise.all(charges.map(({ reference }) => stack.control.pay(reference)));
    await stack.settle();
    for (const charge of charges)
      expect((await stored(stack, charge)).status).to.equal('succeeded');
    await until('the webhooks', async () => stack.receiver.received.length === CHARGES);
    await stack.control.settle();
    stack.clock.advance(2 * HOUR);
    await stack.settle();
    const { json } = await stack.api.get('/transactions?status=settled&limit=100');
    expect(json.data).to.have.length(CHARGES);
    await expectNoLeaks(stack);
  });

  /** As an operator does; the sessions that the pooler has open are replaced. */
  async function limitStatements(): Promise<void> {
    await using admin = openDatabase(databaseUrl);
    const name = new URL(databaseUrl).pathname.slice(1);
    for (const limit of ['statement_timeout', 'idle_in_transaction_session_timeout'])
      await admin.sql.query(`alter database ${name} set ${limit} = '10s'`);
    await admin.sql.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
  }
});
