import { expect } from 'chai';
import type { Oddities, PaidOut } from '../../support/sandbox-control.ts';
import type { Stack } from '../../support/stack.ts';

export const names = ['paystack', 'flutterwave', 'monnify'] as const;
export type Name = (typeof names)[number];

/** A charge, as a bookkeeper who knows nothing of the service notes it. All kobo. */
export interface Sale {
  reference: string;
  amountKobo: number;
  channel: string;
  madeOn: number;
  /** The day it was paid; null: never. */
  paidOn: number | null;
  /** What the provider keeps of it. */
  feeKobo: number;
  /** What became of it in the end, beside being paid and paid out. */
  became: 'refunded' | 'disputed' | null;
  isPaidOut: boolean;
  /** Payouts pass it over for now. */
  isHeldBack: boolean;
  /** The provider lost it. */
  isForgotten: boolean;
}

/** A connection of the merchant, with a tally of its own: plain numbers, from what payers paid and what the provider's control side says. */
export interface Counter {
  name: Name;
  slot: string;
  connectionId: string;
  accountId: number;
  sales: Sale[];
  landedKobo: number;
  /** The merchant's other business, after fees, as far as it was paid out. */
  foreignKobo: number;
  /** Refunds and chargebacks that payouts were made smaller by, and those that are still to be taken out. */
  takenKobo: number;
  owedKobo: number;
  /** Taken out for a refund that nobody told of. */
  unheardKobo: number;
  /** Payments under references of our form that nobody here asked for, in no payout yet. */
  strays: number;
}

/** The connections of the stack's merchant. */
export async function openCounters({
  context: { db },
  tenant,
}: Stack): Promise<Record<Name, Counter>> {
  const rows = await db.query<{ adapter: Name; slot: string; id: string; account: number }>(
    `select c.adapter, c.slot, c.id, a.id as account from connections c join sandbox.account a on a.notification_url like '%/' || c.id
     where c.tenant_id = $1`,
    [tenant.tenant_id],
  );
  const none = {
    landedKobo: 0,
    foreignKobo: 0,
    takenKobo: 0,
    owedKobo: 0,
    unheardKobo: 0,
    strays: 0,
  };
  const counters = rows.map(({ adapter: name, slot, id, account }): [Name, Counter] => [
    name,
    { name, slot, connectionId: id, accountId: Number(account), sales: [], ...none },
  ]);
  return Object.fromEntries(counters) as Record<Name, Counter>;
}

/** What a provider keeps of payments, as it states it, by their charges' references. */
export async function feesOf(
  { context: { db } }: Stack,
  references: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ reference: string; fee_kobo: number }>(
    `select * from (select regexp_replace(reference, '^(SV-[0-9]+)-.*', '\\1') as reference, fee_kobo
       from sandbox.payment where paid_at is not null) paid where reference = any($1)`,
    [references],
  );
  return new Map(rows.map(({ reference, fee_kobo: feeKobo }) => [reference, Number(feeKobo)]));
}

export const netOf = ({ amountKobo, feeKobo }: Pick<Sale, 'amountKobo' | 'feeKobo'>): number =>
  amountKobo - feeKobo;

export const sum = (kobo: readonly number[]): number =>
  kobo.reduce((total, each) => total + each, 0);

/** Paid, and in no payout yet. */
export const waiting = ({ sales }: Counter): Sale[] =>
  sales.filter((sale) => sale.paidOn !== null && !sale.isPaidOut && !sale.isForgotten);

/** The sales a payout of today passes over: those held back, and, in the evening, what is not paid by transfer today. */
function leftOut(counter: Counter, today: number): Sale[] {
  return waiting(counter).filter(
    ({ isHeldBack, channel, paidOn }) =>
      isHeldBack || (counter.name === 'monnify' && channel !== 'bank_transfer' && paidOn === today),
  );
}

/** The provider pays out what it should today, and the tally holds that it was just that. */
export async function payOut(
  stack: Stack,
  counter: Counter,
  today: number,
  oddities: Oddities = {},
): Promise<PaidOut> {
  const left = leftOut(counter, today);
  const held = waiting(counter).filter((sale) => !left.includes(sale));
  const { accountId, owedKobo, strays } = counter;
  const paidOut = await stack.control.settle(accountId, {
    ...oddities,
    leave_out: left.map(({ reference }) => reference),
  });
  expect(paidOut).to.include({
    line_count: held.length + strays + (oddities.foreign?.length ?? 0),
    deductions_kobo: owedKobo,
  });
  if (oddities.status === 'failed') return paidOut;
  for (const sale of held) sale.isPaidOut = true;
  Object.assign(counter, {
    owedKobo: 0,
    strays: 0,
    takenKobo: counter.takenKobo + owedKobo,
    landedKobo: counter.landedKobo + paidOut.landed_kobo,
  });
  const foreign = (oddities.foreign ?? []).map(({ reference, amount_kobo: amountKobo }) => ({
    reference: reference!,
    amountKobo,
  }));
  const fees = await feesOf(
    stack,
    foreign.map(({ reference }) => reference),
  );
  counter.foreignKobo += sum(
    foreign.map(({ reference, amountKobo }) => amountKobo - fees.get(reference)!),
  );
  return paidOut;
}

/** More of a payout that fell short reaches the bank. */
export async function topUp(
  { control }: Stack,
  counter: Counter,
  { id, landed_kobo: before }: PaidOut,
  kobo: number,
): Promise<void> {
  await control.changeSettlement(id, { landed_kobo: before + kobo });
  counter.landedKobo += kobo;
}

/** What a payout that failed held comes with the next one. */
export async function release({ context: { db } }: Stack, { id }: PaidOut): Promise<void> {
  for (const table of ['payment', 'deduction']) {
    await db.query(`update sandbox.${table} set settlement_id = null where settlement_id = $1`, [
      id,
    ]);
  }
}
