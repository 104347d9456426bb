import { openDatabase, type ServiceDatabase } from '../../config/database/db.ts';
import { openOrm } from '../../config/database/orm.ts';
import { addConnection, draftConnection } from '../../domain/accounts/connection/connections.ts';
import { createTenant } from '../../domain/accounts/tenant/create-tenant.ts';
import type { Job } from '../../domain/jobs.ts';
import type { AttemptRow } from '../../domain/payments/attempt/row.ts';
import { createCharge } from '../../domain/payments/charge/create.ts';
import { blankCharge, type ChargeRow, type NewCharge } from '../../domain/payments/charge/row.ts';
import { newId } from '../../domain/shared/ids.ts';
import type { Mode } from '../../domain/shared/reader.ts';
import { sha256Of } from '../../domain/shared/sha256.ts';
import type { Slot } from '../../domain/shared/slot.ts';
import { inTxOf, type Tx } from '../../domain/shared/tx.ts';
import { openVault, type Vault } from '../../domain/shared/vault.ts';
import { addEndpoint } from '../../domain/webhooks/endpoint/create.ts';
import { defaultEventTypes } from '../../domain/webhooks/event/publish.ts';
import { createClock, HOUR } from '../support/clock.ts';
import { untilFileEnds } from '../support/file-scope.ts';
import { cheapPasswords } from '../support/passwords.ts';
import { newDatabase, TEST_POOL_SIZE } from '../support/postgres.ts';

/** One tenant's records on a real database; facts are recorded directly. */
export type Ledger = Awaited<ReturnType<typeof openLedger>>;

export type JobsOfTx = (work: (tx: Tx) => Promise<unknown>) => Promise<Job[]>;

export function jobsOfTx(db: ServiceDatabase, vault: Vault, clock: () => Date): JobsOfTx {
  return async (work) => {
    const enqueued: Job[] = [];
    await inTxOf(db, vault, clock, (jobs) => enqueued.push(...jobs))(work);
    return enqueued;
  };
}

export interface ChargeOptions {
  provider?: 'auto' | Slot;
  mode?: Mode;
}

export const LIFETIME_MS = 24 * HOUR;

/** A tenant with a connection in each of the `slots` and one webhook endpoint. */
export async function openLedger(slots: readonly Slot[] = ['provider_a']) {
  const database = unused.pop() ?? (await openEmpty());
  const { db } = database;
  await db.query(EMPTY);
  const vault = openVault([{ id: 'test', key: Buffer.alloc(32, 7) }]);
  const clock = createClock();
  const inTx = inTxOf(db, vault, clock, () => {});
  const { tenant, connections } = await inTx(async (tx) => {
    const tenant = await createTenant(tx, {
      name: 'Test Store',
      ownerEmail: 'owner@test.example',
      passwordCost: cheapPasswords,
    });
    const test = { tenantId: tenant.tenant_id, mode: 'test' as const };
    const connections = slots.map(
      (slot, position) =>
        addConnection(tx, draftConnection(tx, test, connectionAt(slot)), position).id,
    );
    addEndpoint(tx, test, {
      url: 'https://merchant.example/webhooks',
      eventTypes: defaultEventTypes,
    });
    return { tenant, connections };
  });
  const rows = <Row = any>(text: string, ...values: unknown[]) => db.query<Row>(text, values);
  const ledger = {
    ...{ db, vault, clock, inTx },
    /** The ids of the tenant's connections, in the order `auto` tries them. */
    connections,
    /** Runs a transaction and returns the jobs that it enqueues. */
    tx: jobsOfTx(db, vault, clock),
    /** A charge of ₦5,000 with its first attempt, which is queued. */
    newCharge: async ({ provider = 'auto', mode = 'test' }: ChargeOptions = {}) => {
      const now = clock();
      const id = newId('txn', now);
      const asker = {
        ...{ sha256: sha256Of(tenant[`secret_key_${mode}`]), roles: ['secret' as const] },
        ...{ origin: null, idempotency: undefined },
      };
      const charge = { ...orderOf(id, provider, now), mode };
      const request = { asker, charge, answerTemplate: '{}', now };
      const { attemptId } = await inTx((tx) => createCharge(tx, request));
      return { id, attemptId: attemptId! };
    },
    rows,
    /** Returns its id. */
    connectLive: (slot: Slot): Promise<string> =>
      inTx(async (tx) => {
        const live = { tenantId: tenant.tenant_id, mode: 'live' as const };
        return addConnection(tx, draftConnection(tx, live, connectionAt(slot)), 0).id;
      }),
    charge: async (id: string) =>
      (await rows<ChargeRow>('select * from charges where id = $1', id))[0]!,
    attempts: (chargeId: string) =>
      rows<AttemptRow>('select * from attempts where charge_id = $1 order by id', chargeId),
    captures: (chargeId: string) =>
      rows('select * from captures where charge_id = $1 order by recorded_at, id', chargeId),
    reviews: (chargeId: string) =>
      rows('select * from reviews where charge_id = $1 order by id', chargeId),
    events: async (subjectId: string): Promise<string[]> =>
      (await rows('select type from events where subject_id = $1 order by id', subjectId)).map(
        ({ type }) => type,
      ),
    /** Events of how a refund ended. */
    endings: async (refundId: string) =>
      (await ledger.events(refundId)).filter((type) => isEnding(type)),
    timeline: async (chargeId: string): Promise<string[]> =>
      (
        await rows(
          'select what from timeline_entries where charge_id = $1 order by position',
          chargeId,
        )
      ).map(({ what }) => what),
    /** What happens while the connection of this position is disabled. */
    async whileDisabled(position: number, work: () => Promise<unknown>): Promise<void> {
      const disable = 'update connections set disabled_at = $2 where id = $1';
      await rows(disable, connections[position], clock());
      await work();
      await rows(disable, connections[position], null);
    },
    requestCancel: (chargeId: string) =>
      rows('update charges set cancel_requested_at = $2 where id = $1', chargeId, clock()),
    [Symbol.asyncDispose]: async () => void unused.push(database),
  };
  return ledger;
}

export const isEnding = (event: string) => /^refund\.(completed|failed)$/.test(event);

export function useLedger(slots?: readonly Slot[]): Ledger {
  const ledger = {} as Ledger;
  before(async () => void Object.assign(ledger, await openLedger(slots)));
  after(() => ledger[Symbol.asyncDispose]());
  return ledger;
}

export function useLedgerForEach(slots?: readonly Slot[]): Ledger {
  const ledger = {} as Ledger;
  beforeEach(async () => void Object.assign(ledger, await openLedger(slots)));
  afterEach(() => ledger[Symbol.asyncDispose]());
  return ledger;
}

/** Databases of closed ledgers, for the next ledgers of the file: emptying one costs little. */
const unused: { db: ServiceDatabase }[] = [];

async function openEmpty(): Promise<{ db: ServiceDatabase }> {
  const orm = await openOrm({
    databaseUrl: await newDatabase(),
    poolSize: TEST_POOL_SIZE,
    statementTimeoutMs: null,
  });
  untilFileEnds({
    async [Symbol.asyncDispose]() {
      unused.length = 0;
      await orm.close(true);
    },
  });
  return { db: await openDatabase(orm) };
}

/**
 * Deletes every row but those that migrations write. A replica session checks no foreign keys: in
 * the end all rows are gone.
 */
const EMPTY = `do $$
declare name text;
begin
  set local session_replication_role = replica;
  for name in
    select table_name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not in ('mikro_orm_migrations', 'event_feed')
  loop
    execute format('delete from %I', name);
  end loop;
end $$`;

function connectionAt(slot: Slot) {
  const credentials = { secret_key: `sk_test_${slot}` };
  return { slot, adapter: 'paystack', credentials, sandbox: true };
}

function orderOf(id: string, provider: 'auto' | Slot, now: Date): NewCharge {
  return {
    ...{ ...blankCharge, id, mode: 'test', amount_kobo: 500_000, currency: 'NGN' },
    ...{ email: 'ada@example.com', metadata: {}, provider_wanted: provider },
    expires_at: new Date(now.getTime() + LIFETIME_MS),
  };
}
