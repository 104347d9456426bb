import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { queues as specs } from '../../../domain/jobs.ts';
import { newId } from '../../../domain/shared/ids.ts';
import type { Sql } from '../../../domain/shared/sql.ts';
import { BEGINNING, type FeedRow, readFeed } from '../../../domain/webhooks/event/feed.ts';
import { publishEvent } from '../../../domain/webhooks/event/publish.ts';
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

const WRITERS = 8;
const CRASHES = 3;
const BETWEEN_CRASHES_MS = 1_000;

const TEMPLATE = 'migrated';

let dir: string;
/** One server for all, because its first start takes longer than the tests. */
let postgres: LocalPostgres;

describe('While PostgreSQL crashes and is restarted,', () => {
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

  describeOnEachQueue('webhooks are delivered', describeOutages);

  describe('the feed of events', () => {
    const stack = {} as Stack;
    before(async () => {
      const databaseUrl = await newDatabase('payments_feed');
      const env = { databaseUrl, databasePoolSize: WRITERS + 4 };
      Object.assign(stack, await startStack({ queues: 'postgres', workers: false, env }));
      await stack.sql`delete from webhook_endpoints`;
    });
    after(() => stack[Symbol.asyncDispose]());

    const write = (openMs: number) =>
      stack.context.inTx(async (tx) => {
        const { tenant_id: tenantId } = stack.tenant;
        const event = { type: 'charge.failed', subjectId: newId('txn', new Date()) } as const;
        await publishEvent(tx, { tenantId, mode: 'test', ...event, data: {} });
        await pause(openMs);
      });

    /** Half of the transactions are short; some are open through many others. */
    const writeUntil = async (isOver: () => boolean, turn: number) => {
      for (let n = turn; !isOver(); n++)
        await write(n % 2 === 0 ? 0 : (n * 37) % 400).catch(() => pause(20));
    };

    const endTransactions = () =>
      stack.sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'
        order by pid limit 3`.catch(() => {});

    it('shows a reader each event once, though transactions are killed too', async () => {
      let isOver = false;
      const seen: FeedRow[] = [];
      const { db } = stack.context;
      const reader = { tenantId: stack.tenant.tenant_id, mode: 'test' } as const;
      const poll = async () => {
        const page = await readFeed(db, reader, seen.at(-1) ?? BEGINNING, 7).catch(() => []);
        seen.push(...page);
        return page.length;
      };
      const writing = Promise.all(
        Array.from({ length: WRITERS }, (_, turn) => writeUntil(() => isOver, turn)),
      );
      const reading = (async () => {
        while (!isOver) if ((await poll()) === 0) await pause(5);
      })();
      for (let crashes = 0; crashes < CRASHES; crashes++) {
        for (let waitedMs = 0; waitedMs < BETWEEN_CRASHES_MS; waitedMs += 200) {
          await pause(200);
          await endTransactions();
        }
        await crash(db);
      }
      await pause(BETWEEN_CRASHES_MS);
      isOver = true;
      await Promise.all([writing, reading]);
      while ((await poll()) > 0);
      const stored = await stack.sql<{ id: string }>`select id from events order by xact, id`;
      expect(stored.length).to.be.above(WRITERS * CRASHES);
      expect(seen.map(({ id }) => id)).to.deep.equal(stored.map(({ id }) => id));
    }).timeout(60_000);
  });
});

async function newDatabase(name: string): Promise<string> {
  await using server = openDatabase(postgres.url('postgres'));
  await server.sql.query(`create database ${name} template ${TEMPLATE}`);
  return postgres.url(name);
}

/** As by a failure of power; it comes back at the same port. */
async function crash(db: Sql, whileAway = () => {}): Promise<void> {
  const { port } = postgres;
  await crashPostgres(db);
  await postgres.stop();
  whileAway();
  postgres = await startPostgres({ dir, port, durable: true });
}

function describeOutages(queues: 'postgres' | 'redis'): void {
  let stack: Stack;
  let listener: Listener;
  before(async () => {
    const databaseUrl = await newDatabase(`payments_${queues}`);
    stack = await startStack({ queues, sweeps: true, env: { databaseUrl } });
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

    await crash(stack.context.db, () => {
      listener.answers(200);
      requests.answer(202);
    });
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
