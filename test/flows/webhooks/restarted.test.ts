import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { queues as specs } from '../../../domain/jobs.ts';
import {
  type LocalPostgres,
  removePostgres,
  startPostgres,
} from '../../../scripts/local/postgres.ts';
import { migrateDatabase } from '../../../scripts/migrate-database.ts';
import { openDatabase } from '../../../scripts/sandbox/database.ts';
import { prepareSchema } from '../../../scripts/sandbox/schema.ts';
import { MINUTE } from '../../support/clock.ts';
import { describeOnEachQueue } from '../../support/each-queue.ts';
import { crashPostgres } from '../../support/postgres.ts';
import { type Stack, startStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';
import { codesOf, type Listener, openListener } from './fixture.ts';

const TEMPLATE = 'migrated';

let dir: string;
/** One server for both queue stores, because its first start takes longer than the tests. */
let postgres: LocalPostgres;

describe('Webhooks while PostgreSQL is restarted', () => {
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'payments-restarted-'));
    postgres = await startPostgres({ dir, durable: true });
    await postgres.createDatabase(TEMPLATE);
    await migrateDatabase(postgres.url(TEMPLATE));
    await using template = openDatabase(postgres.url(TEMPLATE));
    await prepareSchema(template.sql);
  });
  after(async () => {
    await postgres.stop();
    await removePostgres(dir);
  });

  describeOnEachQueue('are delivered', describeOutages);
});

function describeOutages(queues: 'postgres' | 'redis'): void {
  const database = `payments_${queues}`;
  let stack: Stack;
  let listener: Listener;
  before(async () => {
    await using server = openDatabase(postgres.url('postgres'));
    await server.sql.query(`create database ${database} template ${TEMPLATE}`);
    stack = await startStack({
      queues,
      sweeps: true,
      env: { databaseUrl: postgres.url(database) },
    });
    listener = await openListener(stack);
  });
  after(async () => {
    await stack[Symbol.asyncDispose]();
    await listener[Symbol.asyncDispose]();
  });

  it('arrive after it was shut down at once, in flight or pending, and every try is recorded', async () => {
    listener.answers(500);
    const waiting = await listener.publishEvents(2);
    await until('their tries', async () =>
      (await listener.deliveries()).every(({ try_count }) => try_count === 1),
    );
    const requests = listener.keepRequestsOpen();
    const inFlight = await listener.publishEvents(2); // a failing endpoint is sent two at once
    await until('every request', async () => requests.open === 2);

    const port = Number(new URL(postgres.url(database)).port);
    await crashPostgres(stack.context.db);
    await postgres.stop();
    listener.answers(200);
    requests.answer(202);
    postgres = await startPostgres({ dir, port, durable: true });
    await until('the database', () => stack.sql`select 1`.catch(() => false as const));
    const delivered = () => listener.deliveries('status=delivered');
    await until('the record of those in flight', async () => (await delivered()).length === 2);
    expect(listener.arrived(), 'none twice').to.have.members([...waiting, ...inFlight]);

    stack.clock.advance(specs['webhook-deliver'].leaseMs + 2 * MINUTE);
    await until('nothing pending', async () => {
      await stack.sweep();
      return (await listener.deliveries('status=pending')).length === 0;
    });
    expect(listener.arrived()).to.have.members([...waiting, ...inFlight, ...waiting]);
    expect((await listener.deliveries()).map(codesOf)).to.deep.equal([
      ...waiting.map(() => [500, 200]),
      ...inFlight.map(() => [202]),
    ]);
  });
}
