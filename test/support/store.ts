import { expect } from 'chai';
import type { ConnectionTaskName } from '../../domain/accounts/connection/tasks.ts';
import { enterDispute } from '../../domain/payments/dispute/enter.ts';
import { runHousekeeping } from '../../workers/housekeeping.ts';
import { apiClient } from './api.ts';
import { type Checkout, newCharge } from './charges.ts';
import { DAY, HOUR, MINUTE } from './clock.ts';
import type { Oddities, PaidOut } from './sandbox-control.ts';
import type { Stack } from './stack.ts';

type Named = Pick<Checkout, 'reference'>;
export type Json = Record<string, any>;

/** Where a store is opened: in which stack, at which provider. */
export interface Site {
  stack: Stack;
  name: 'paystack' | 'flutterwave' | 'monnify';
  slot: string;
}

/** A merchant of its own with one provider that pays out, on a Monday at ten in Lagos. */
export interface Store {
  /** The stack, seen by this merchant. */
  readonly stack: Stack;
  readonly name: Site['name'];
  readonly connectionId: string;
  /** Its account at the provider. */
  readonly accountId: number;
  /** Charges of these amounts, open at the provider. */
  open(...amountsKobo: number[]): Promise<Checkout[]>;
  /** Charges of these amounts, paid by transfer and told of. */
  paid(...amountsKobo: number[]): Promise<Checkout[]>;
  /** Charges of these amounts, paid a moment ago: nobody was told, and nobody has asked. */
  unheard(...amountsKobo: number[]): Promise<Checkout[]>;
  /** Lets time pass: what became due is done, at the provider too. */
  pass(ms: number): Promise<void>;
  /** Lets time pass until the provider pays out what was paid today. */
  payday(): Promise<void>;
  /** The provider pays out, and tells of it where it tells of such things. */
  payOut(oddities?: Oddities): Promise<PaidOut>;
  /** Pays out on the day it should, and lets the hour pass in which that is found. */
  paidOut(oddities?: Oddities): Promise<PaidOut>;
  /** Lets the hour pass in which every payout is looked at again. */
  reconcile(): Promise<void>;
  /** Does a task of the connection's now. */
  doNow(task: ConnectionTaskName): Promise<void>;
  /** Lets the night pass in which payments are compared. */
  night(): Promise<void>;
  /** Somebody tells us of a dispute, or we ask. */
  hearOf(charge: Named, dispute: 'open' | 'won' | 'lost'): Promise<void>;
  /** The charge's transaction as its merchant reads it. */
  read(charge: Named): Promise<Json>;
  /** Settlements as the merchant reads them, oldest first. */
  settlements(status?: string): Promise<Json[]>;
  /** The one settlement there is of this status. */
  settlement(status: string): Promise<Json>;
  /** The references of a settlement's transactions, sorted. */
  holds(settlement: Json): Promise<string[]>;
  /** Discrepancies as the merchant reads them, oldest first. */
  discrepancies(status?: string): Promise<Json[]>;
  /** The one that is open. */
  discrepancy(): Promise<Json>;
  /** What there was to tell the merchant of payouts, each time. */
  events(): Promise<Json[]>;
}

/** A new merchant in a stack; what an earlier one left to do is left. The clock goes on to the next Monday. */
export async function openStore({ stack: shared, name, slot }: Site): Promise<Store> {
  const { db, clock } = shared.context;
  for (const table of ['attempts', 'refunds', 'notifications', 'connection_tasks'])
    await db.query(`update ${table} set due_at = null`);
  shared.clock.advance(untilMonday(clock()));
  const tenant = await shared.newTenant();
  const stack = { ...shared, tenant, api: apiClient(shared.baseUrl, tenant.secret_key_test) };
  const connectionId = await connectionOf(stack, slot);
  await runHousekeeping(stack.context);
  await db.query('update connection_tasks set due_at = null where connection_id <> $1', [
    connectionId,
  ]);
  await stack.settle();
  return storeOf(stack, {
    name,
    slot,
    connectionId,
    accountId: await accountOf(stack, connectionId),
  });
}

function untilMonday(now: Date): number {
  const tenInLagos = 9 * HOUR;
  const monday = 4 * DAY; // the first one of all
  const week = 7 * DAY;
  const sinceMonday = (now.getTime() - monday - tenInLagos) % week;
  return week - sinceMonday;
}

async function connectionOf({ context: { db }, tenant }: Stack, slot: string): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    'select id from connections where tenant_id = $1 and slot = $2',
    [tenant.tenant_id, slot],
  );
  return row!.id;
}

async function accountOf({ context: { db } }: Stack, connectionId: string): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `select id from sandbox.account where notification_url like '%/' || $1`,
    [connectionId],
  );
  return Number(row!.id);
}

type Known = Pick<Store, 'name' | 'connectionId' | 'accountId'> & Pick<Site, 'slot'>;

function storeOf(stack: Stack, { slot, ...known }: Known): Store {
  const { control, clock, api, context } = stack;
  const rows = async (path: string): Promise<Json[]> => (await api.get(path)).json.data.reverse();
  const only = ([row, ...more]: Json[]): Json => {
    expect(more).to.deep.equal([]);
    expect(row).not.to.equal(undefined);
    return row!;
  };
  const store: Store = {
    stack,
    ...known,
    async open(...amountsKobo) {
      const charges = await Promise.all(
        amountsKobo.map((amountKobo) =>
          newCharge(stack, { provider: slot, amount_kobo: amountKobo }),
        ),
      );
      await stack.settle();
      return charges;
    },
    async paid(...amountsKobo) {
      const charges = await store.open(...amountsKobo);
      for (const { reference } of charges)
        await control.pay(reference, { channel: 'bank_transfer' });
      await stack.settle();
      for (const charge of charges) expect((await store.read(charge)).status).to.equal('succeeded');
      return charges;
    },
    async unheard(...amountsKobo) {
      const charges = await store.open(...amountsKobo);
      for (const { reference } of charges)
        await control.pay(reference, { channel: 'bank_transfer', notify: false });
      return charges;
    },
    async pass(ms) {
      clock.advance(ms);
      await stack.sandbox.tick();
      await stack.settle();
    },
    // Monnify pays transfers out at ten in the evening, the others in the morning of the next business day.
    payday: () => store.pass(known.name === 'monnify' ? 12 * HOUR : 20 * HOUR),
    async payOut(oddities) {
      const paidOut = await control.settle(known.accountId, oddities);
      if (known.name === 'monnify') await stack.settle();
      return paidOut;
    },
    async paidOut(oddities) {
      await store.payday();
      const paidOut = await store.payOut(oddities);
      await store.reconcile();
      return paidOut;
    },
    reconcile: () => store.pass(HOUR + MINUTE),
    async doNow(task) {
      const now = clock();
      await context.db.query(
        'update connection_tasks set due_at = $3 where connection_id = $1 and task = $2',
        [known.connectionId, task, now],
      );
      await stack.settle();
    },
    night: () => store.pass(DAY),
    async hearOf({ reference }, state) {
      if (known.name !== 'monnify') return store.doNow('disputes');
      // Monnify tells of chargebacks by e-mail.
      const entered = {
        chargeNumber: Number(reference.slice(3)),
        state,
        amountKobo: null,
        note: null,
      };
      await context.inTx(async (tx) => (await enterDispute(tx, entered)).jobs);
      await stack.settle();
    },
    read: async ({ reference }) => (await api.get(`/charges/${reference}`)).json.transaction,
    settlements: (status) => rows(`/settlements?limit=100${status ? `&status=${status}` : ''}`),
    async settlement(status) {
      const { id, ...settlement } = only(await store.settlements(status));
      const { json } = await api.get(`/settlements/${id}`);
      expect(json).to.deep.equal({ id, ...settlement });
      return json;
    },
    holds: async ({ id }) =>
      (await rows(`/settlements/${id}/transactions`)).map(({ reference }) => reference).sort(),
    discrepancies: (status) => rows(`/discrepancies?limit=100${status ? `&status=${status}` : ''}`),
    discrepancy: async () => only(await store.discrepancies('open')),
    async events() {
      const events = await context.db.query<{ body: string }>(
        `select body from events where tenant_id = $1 and type = 'settlement.landed' order by id`,
        [stack.tenant.tenant_id],
      );
      return events.map(({ body }) => JSON.parse(body).data);
    },
  };
  return store;
}
