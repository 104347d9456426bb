import { listNamedConnections, type NamedConnection } from './accounts/connection/connection.ts';
import { journalPartitioned } from './journal/retention.ts';
import { discardSnapshots } from './journal/snapshots.ts';
import { findPastCharges, postPastCharges } from './payments/posting/post-past.ts';
import { lockAccount } from './settlements/account/account.ts';
import { findPastSettlements, postPastSettlement } from './settlements/settlement/post-past.ts';
import { madeAt } from './shared/ids.ts';
import { createPartitions } from './shared/partitions.ts';
import type { Database } from './shared/sql.ts';
import type { InTx } from './shared/tx.ts';
import { DAY_MS } from './shared/units.ts';

/** They are locked together, for some tenths of a second. */
const CHARGES_AT_ONCE = 500;
const SETTLEMENTS_AT_ONCE = 50;

export interface Backfilled {
  connection: NamedConnection;
  /** Of which something was posted now. */
  charges: number;
  settlements: number;
  /** All charges made by then are in the journal. */
  until: Date;
}

interface Context {
  db: Database;
  inTx: InTx;
  clock: () => Date;
}

/**
 * Posts what is on record and not in the journal, as if it had been posted then, batch by batch,
 * beside a running service. What is posted already is passed by: it may be stopped anywhere, run
 * again, and run twice at once. Balances have what is posted by then.
 */
export async function* backfillJournal(
  context: Context,
  chargesAtOnce = CHARGES_AT_ONCE,
): AsyncGenerator<Backfilled> {
  const all = await listNamedConnections(context.db, null);
  const owners = Map.groupBy(all, ({ tenant_id, mode }) => `${tenant_id} ${mode}`);
  for (const connections of owners.values()) {
    yield* backfillCharges(context, connections, chargesAtOnce);
    for (const connection of connections) yield* backfillSettlements(context, connection);
  }
}

async function* backfillCharges(
  { db, inTx, clock }: Context,
  connections: readonly NamedConnection[],
  limit: number,
): AsyncGenerator<Backfilled> {
  const [connection] = connections as [NamedConnection];
  const reader = { tenantId: connection.tenant_id, mode: connection.mode };
  const first = connections.map(({ id }) => id).sort()[0]!;
  for (let after = ''; ; ) {
    const { ids, unposted } = await findPastCharges(db, reader, { after, limit });
    if (ids.length === 0) return;
    // Nothing is recorded, or imported, before there is a connection.
    if (after === '') await createPastPartitions(db, madeAt(first), clock());
    after = ids.at(-1)!;
    if (unposted.length > 0)
      await inTx(async (tx) => {
        for (const account of connections) await lockAccount(tx, account);
        await postPastCharges(tx, unposted);
        const connectionIds = connections.map(({ id }) => id);
        await discardSnapshots(tx.sql, connectionIds, madeAt(ids[0]!));
      });
    yield { connection, charges: unposted.length, settlements: 0, until: madeAt(after) };
  }
}

async function* backfillSettlements(
  { db, inTx, clock }: Context,
  connection: NamedConnection,
): AsyncGenerator<Backfilled> {
  for (let after = ''; ; ) {
    const page = { after, limit: SETTLEMENTS_AT_ONCE };
    const { ids, unposted } = await findPastSettlements(db, connection, page);
    if (ids.length === 0) return;
    after = ids.at(-1)!;
    if (unposted.length > 0)
      await inTx(async (tx) => {
        await lockAccount(tx, connection);
        for (const id of unposted) await postPastSettlement(tx, connection, id);
        await discardSnapshots(tx.sql, [connection.id], madeAt(ids[0]!));
      });
    yield { connection, charges: 0, settlements: unposted.length, until: clock() };
  }
}

async function createPastPartitions(db: Database, from: Date, to: Date): Promise<void> {
  const days = (to.getTime() - from.getTime()) / DAY_MS;
  for (const table of journalPartitioned) await createPartitions({ db, now: from }, table, days);
}
