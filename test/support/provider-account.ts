import { expect } from 'chai';
import type { ConnectionTaskName } from '../../domain/accounts/connection/tasks.ts';
import { enterDispute } from '../../domain/payments/commands/enter-dispute.ts';
import { runHousekeeping } from '../../workers/housekeeping.ts';
import { apiClient } from './api.ts';
import { type Checkout, newCharge } from './charges.ts';
import { DAY, HOUR, MINUTE } from './clock.ts';
import type { Oddities, PaidOut } from './sandbox-control.ts';
import { sandboxAccount } from './sandbox-store.ts';
import type { Stack } from './stack.ts';

type Named = Pick<Checkout, 'reference'>;
export type Json = Record<string, any>;

export interface ProviderAccountOptions {
  stack: Stack;
  name: 'paystack' | 'flutterwave' | 'monnify';
  slot: string;
}

/** A tenant with one provider account that pays out, on a Monday at ten in Lagos. */
export interface ProviderAccountFixture {
  readonly stack: Stack;
  readonly name: ProviderAccountOptions['name'];
  readonly connectionId: string;
  readonly accountId: number;
  openCharges(...amountsKobo: number[]): Promise<Checkout[]>;
  payCharges(...amountsKobo: number[]): Promise<Checkout[]>;
  payUnnotified(...amountsKobo: number[]): Promise<Checkout[]>;
  passTime(ms: number): Promise<void>;
  passToPayday(): Promise<void>;
  payOut(oddities?: Oddities): Promise<PaidOut>;
  payOutAndReconcile(oddities?: Oddities): Promise<PaidOut>;
  reconcile(): Promise<void>;
  runTask(task: ConnectionTaskName): Promise<void>;
  passNight(): Promise<void>;
  /** Has a dispute recorded: by the task, or by an operator where there is no API for it. */
  reportDispute(charge: Named, dispute: 'open' | 'won' | 'lost'): Promise<void>;
  readTransaction(charge: Named): Promise<Json>;
  settlements(status?: string): Promise<Json[]>;
  settlement(status: string): Promise<Json>;
  referencesOf(settlement: Json): Promise<string[]>;
  discrepancies(status?: string): Promise<Json[]>;
  discrepancy(): Promise<Json>;
  events(): Promise<Json[]>;
}

/** Creates a tenant and advances the clock to the next Monday. Earlier work is not due. */
export async function openProviderAccount({
  stack: shared,
  name,
  slot,
}: ProviderAccountOptions): Promise<ProviderAccountFixture> {
  const { db, clock } = shared.context;
  for (const table of ['attempts', 'refunds', 'notifications', 'connection_tasks'])
    await db.query(`update ${table} set due_at = null`);
  shared.clock.advance(untilMonday(clock()));
  const tenant = await shared.newTenant();
  const stack = { ...shared, tenant, api: apiClient(shared.baseUrl, tenant.secret_key_test) };
  const connectionId = await connectionOf(stack, slot);
  await runHousekeeping(stack.context);
  await db.query(
    `update connection_tasks set due_at = null where connection_id <> $1 or task = 'payments'`,
    [connectionId],
  );
  await stack.settle();
  return accountFixtureOf(stack, {
    name,
    slot,
    connectionId,
    accountId: sandboxAccount(stack, connectionId).id,
  });
}

function untilMonday(now: Date): number {
  const tenInLagos = 9 * HOUR;
  const monday = 4 * DAY; // the first one of all
  const week = 7 * DAY;
  const sinceMonday = (now.getTime() - monday - tenInLagos) % week;
  return week - sinceMonday;
}

export async function disputeByHand(
  { context }: Stack,
  { reference }: Named,
  state: 'open' | 'won' | 'lost',
): Promise<void> {
  const chargeNumber = Number(reference.slice(3));
  await context.inTx((tx) =>
    enterDispute(tx, { chargeNumber, state, amountKobo: null, note: null }),
  );
}

export async function connectionOf(
  { context: { db }, tenant }: Pick<Stack, 'context' | 'tenant'>,
  slot: string,
): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    'select id from connections where tenant_id = $1 and slot = $2',
    [tenant.tenant_id, slot],
  );
  return row!.id;
}

type Known = Pick<ProviderAccountFixture, 'name' | 'connectionId' | 'accountId'> &
  Pick<ProviderAccountOptions, 'slot'>;

function accountFixtureOf(stack: Stack, { slot, ...known }: Known): ProviderAccountFixture {
  const { control, clock, api, context } = stack;
  const rows = async (path: string): Promise<Json[]> => (await api.get(path)).json.data.reverse();
  const only = ([row, ...more]: Json[]): Json => {
    expect(more).to.deep.equal([]);
    expect(row).not.to.equal(undefined);
    return row!;
  };
  const account: ProviderAccountFixture = {
    stack,
    ...known,
    async openCharges(...amountsKobo) {
      const charges = await Promise.all(
        amountsKobo.map((amountKobo) =>
          newCharge(stack, { provider: slot, amount_kobo: amountKobo }),
        ),
      );
      await stack.settle();
      return charges;
    },
    async payCharges(...amountsKobo) {
      const charges = await account.openCharges(...amountsKobo);
      for (const { reference } of charges)
        await control.pay(reference, { channel: 'bank_transfer' });
      await stack.settle();
      for (const charge of charges)
        expect((await account.readTransaction(charge)).status).to.equal('succeeded');
      return charges;
    },
    async payUnnotified(...amountsKobo) {
      const charges = await account.openCharges(...amountsKobo);
      for (const { reference } of charges)
        await control.pay(reference, { channel: 'bank_transfer', notify: false });
      return charges;
    },
    passTime: (ms) => stack.pass(ms),
    // Monnify pays out transfers at ten in the evening, the others on the next business day.
    passToPayday: () => account.passTime(known.name === 'monnify' ? 12 * HOUR : 20 * HOUR),
    async payOut(oddities) {
      const paidOut = await control.settle(known.accountId, oddities);
      if (known.name === 'monnify') await stack.settle();
      return paidOut;
    },
    async payOutAndReconcile(oddities) {
      await account.passToPayday();
      const paidOut = await account.payOut(oddities);
      await account.reconcile();
      return paidOut;
    },
    reconcile: () => account.passTime(HOUR + MINUTE),
    async runTask(task) {
      const now = clock();
      await context.db.query(
        'update connection_tasks set due_at = $3 where connection_id = $1 and task = $2',
        [known.connectionId, task, now],
      );
      await stack.settle();
    },
    passNight: () => account.passTime(DAY),
    async reportDispute({ reference }, state) {
      if (known.name !== 'monnify') return account.runTask('disputes');
      // Monnify notifies of chargebacks by e-mail.
      await disputeByHand(stack, { reference }, state);
      await stack.settle();
    },
    readTransaction: async ({ reference }) =>
      (await api.get(`/charges/${reference}`)).json.transaction,
    settlements: (status) => rows(`/settlements?limit=100${status ? `&status=${status}` : ''}`),
    async settlement(status) {
      const { id, ...settlement } = only(await account.settlements(status));
      const { json } = await api.get(`/settlements/${id}`);
      expect(json).to.deep.equal({ id, ...settlement });
      return json;
    },
    referencesOf: async ({ id }) =>
      (await rows(`/settlements/${id}/transactions`)).map(({ reference }) => reference).sort(),
    discrepancies: (status) => rows(`/discrepancies?limit=100${status ? `&status=${status}` : ''}`),
    discrepancy: async () => only(await account.discrepancies('open')),
    async events() {
      const events = await context.db.query<{ body: string }>(
        `select body from events where tenant_id = $1 and type = 'settlement.landed' order by id`,
        [stack.tenant.tenant_id],
      );
      return events.map(({ body }) => JSON.parse(body).data);
    },
  };
  return account;
}
