import { expect } from 'chai';
import type { ConnectionTaskName } from '../../domain/accounts/connection/tasks.ts';
import { enterDispute } from '../../domain/payments/commands/enter-dispute.ts';
import { runHousekeeping } from '../../workers/housekeeping.ts';
import { apiClient } from './api.ts';
import { type Checkout, newCharge } from './charges.ts';
import { DAY, HOUR, MINUTE } from './clock.ts';
import type { Oddities } from './sandbox-control.ts';
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
export type ProviderAccountFixture = ReturnType<typeof accountFixtureOf>;

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
  await stack.sql`update connection_tasks set due_at = null
    where connection_id <> ${connectionId} or task = 'payments'`;
  await stack.settle();
  const accountId = sandboxAccount(stack, connectionId).id;
  return accountFixtureOf(stack, slot, { name, connectionId, accountId });
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
    enterDispute(tx, { chargeNumber, state, amountKobo: null, note: null, actor: 'operator' }),
  );
}

export async function connectionOf(
  { sql, tenant }: Pick<Stack, 'sql' | 'tenant'>,
  slot: string,
): Promise<string> {
  const [row] = await sql<{ id: string }>`select id from connections
    where tenant_id = ${tenant.tenant_id} and slot = ${slot}`;
  return row!.id;
}

interface Known {
  name: ProviderAccountOptions['name'];
  connectionId: string;
  accountId: number;
}

function accountFixtureOf(stack: Stack, slot: string, known: Known) {
  const { control, clock, api } = stack;
  const rows = async (path: string): Promise<Json[]> => (await api.get(path)).json.data.reverse();
  const inList = (path: string, status?: string) =>
    rows(`${path}?limit=100${status ? `&status=${status}` : ''}`);
  const only = ([row, ...more]: Json[]): Json => {
    expect(more).to.deep.equal([]);
    expect(row).not.to.equal(undefined);
    return row!;
  };
  const payAll = async (charges: readonly Named[], options?: { notify: boolean }) => {
    for (const { reference } of charges)
      await control.pay(reference, { channel: 'bank_transfer', ...options });
  };
  const account = {
    stack,
    ...known,
    async openCharges(...amountsKobo: number[]) {
      const charges = await Promise.all(
        amountsKobo.map((amountKobo) =>
          newCharge(stack, { provider: slot, amount_kobo: amountKobo }),
        ),
      );
      await stack.settle();
      return charges;
    },
    async payCharges(...amountsKobo: number[]) {
      const charges = await account.openCharges(...amountsKobo);
      await payAll(charges);
      await stack.settle();
      for (const charge of charges)
        expect((await account.readTransaction(charge)).status).to.equal('succeeded');
      return charges;
    },
    async payUnnotified(...amountsKobo: number[]) {
      const charges = await account.openCharges(...amountsKobo);
      await payAll(charges, { notify: false });
      return charges;
    },
    passTime: (ms: number) => stack.pass(ms),
    // Monnify pays out transfers at ten in the evening, the others on the next business day.
    passToPayday: () => account.passTime(known.name === 'monnify' ? 12 * HOUR : 20 * HOUR),
    async payOut(oddities?: Oddities) {
      const paidOut = await control.settle(known.accountId, oddities);
      if (known.name === 'monnify') await stack.settle();
      return paidOut;
    },
    async payOutAndReconcile(oddities?: Oddities) {
      await account.passToPayday();
      const paidOut = await account.payOut(oddities);
      await account.reconcile();
      return paidOut;
    },
    reconcile: () => account.passTime(HOUR + MINUTE),
    async runTask(task: ConnectionTaskName) {
      await stack.sql`update connection_tasks set due_at = ${clock()}
        where connection_id = ${known.connectionId} and task = ${task}`;
      await stack.settle();
    },
    passNight: () => account.passTime(DAY),
    /** Has a dispute recorded: by the task, or by an operator where there is no API for it. */
    async reportDispute(charge: Named, state: 'open' | 'won' | 'lost') {
      if (known.name !== 'monnify') return account.runTask('disputes');
      // Monnify notifies of chargebacks by e-mail.
      await disputeByHand(stack, charge, state);
      await stack.settle();
    },
    readTransaction: async ({ reference }: Named): Promise<Json> =>
      (await api.get(`/charges/${reference}`)).json.transaction,
    settlements: (status?: string) => inList('/settlements', status),
    async settlement(status: string) {
      const settlement = only(await account.settlements(status));
      const { json } = await api.get(`/settlements/${settlement.id}`);
      expect(json).to.deep.equal(settlement);
      return json as Json;
    },
    referencesOf: async ({ id }: Json): Promise<string[]> =>
      (await rows(`/settlements/${id}/transactions`)).map(({ reference }) => reference).sort(),
    discrepancies: (status?: string) => inList('/discrepancies', status),
    discrepancy: async () => only(await account.discrepancies('open')),
    async events(): Promise<Json[]> {
      const events = await stack.sql<{ body: string }>`select body from events
        where tenant_id = ${stack.tenant.tenant_id} and type = 'settlement.landed' order by id`;
      return events.map(({ body }) => JSON.parse(body).data);
    },
  };
  return account;
}
