import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { openDatabase, type ServiceDatabase } from '../../../config/database/db.ts';
import { openOrm } from '../../../config/database/orm.ts';
import { createTenant } from '../../../domain/accounts/tenant/create-tenant.ts';
import { newId } from '../../../domain/shared/ids.ts';
import { txOf } from '../../../domain/shared/tx.ts';
import { openVault } from '../../../domain/shared/vault.ts';
import { BEGINNING, type FeedRow, readFeed } from '../../../domain/webhooks/event/feed.ts';
import { publishEvent } from '../../../domain/webhooks/event/publish.ts';
import {
  type LocalPostgres,
  removePostgres,
  startPostgres,
} from '../../../scripts/local/postgres.ts';
import { migrateDatabase } from '../../../scripts/migrate-database.ts';
import { cheapPasswords } from '../../support/passwords.ts';
import { crashPostgres } from '../../support/postgres.ts';

const WRITERS = 8;
const CRASHES = 3;
const BETWEEN_CRASHES_MS = 1_000;

const vault = openVault([{ id: 'test', key: Buffer.alloc(32, 7) }]);

describe('A reader of the feed of events', () => {
  let dir: string;
  let postgres: LocalPostgres;
  let db: ServiceDatabase;
  let close: () => Promise<void>;
  let tenantId: string;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'payments-feed-'));
    postgres = await startPostgres({ dir, durable: true });
    await postgres.createDatabase('payments');
    const databaseUrl = postgres.url('payments');
    await migrateDatabase(databaseUrl);
    const orm = await openOrm({ databaseUrl, poolSize: WRITERS + 4, statementTimeoutMs: 5_000 });
    close = () => orm.close(true);
    db = await openDatabase(orm);
    const tenant = await db.transaction((session) =>
      createTenant(txOf(session, vault, new Date()), {
        name: 'Test Store',
        ownerEmail: 'owner@test.example',
        passwordCost: cheapPasswords,
      }),
    );
    tenantId = tenant.tenant_id;
  });
  after(async () => {
    await close();
    await postgres.stop();
    await removePostgres(dir);
  });

  const write = (openMs: number) =>
    db.transaction(async (session) => {
      const subjectId = newId('txn', new Date());
      const event = { tenantId, mode: 'test', type: 'charge.failed', subjectId, data: {} } as const;
      await publishEvent(txOf(session, vault, new Date()), event);
      await pause(openMs);
    });

  /** Half of the transactions are short; some are open through many others. */
  const writeUntil = async (isOver: () => boolean, turn: number) => {
    for (let n = turn; !isOver(); n++)
      await write(n % 2 === 0 ? 0 : (n * 37) % 400).catch(() => pause(20));
  };

  const endTransactions = () =>
    db
      .query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction' order by pid limit 3`,
      )
      .catch(() => {});

  const crash = async () => {
    const port = Number(new URL(postgres.url('payments')).port);
    await crashPostgres(db);
    await postgres.stop();
    postgres = await startPostgres({ dir, port, durable: true });
  };

  it('sees each event once through killed transactions and crashes of PostgreSQL', async () => {
    let isOver = false;
    const seen: FeedRow[] = [];
    const poll = async () => {
      const reader = { tenantId, mode: 'test' } as const;
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
      await crash();
    }
    await pause(BETWEEN_CRASHES_MS);
    isOver = true;
    await Promise.all([writing, reading]);
    while ((await poll()) > 0);
    const stored = await db.query<{ id: string }>('select id from events order by xact, id');
    expect(stored.length).to.be.above(WRITERS * CRASHES);
    expect(seen.map(({ id }) => id)).to.deep.equal(stored.map(({ id }) => id));
  }).timeout(60_000);
});
