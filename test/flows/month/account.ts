import { expect } from 'chai';
import { deductionsIn } from '../../../scripts/sandbox/settlements.ts';
import type { Oddities, PaidOut } from '../../support/sandbox-control.ts';
import { sandboxAccount } from '../../support/sandbox-store.ts';
import type { Stack } from '../../support/stack.ts';

export const names = ['paystack', 'flutterwave', 'monnify'] as const;
export type Name = (typeof names)[number];

export interface Sale {
  reference: string;
  amountKobo: number;
  channel: string;
  madeOn: number;
  /** The day it was paid; null: it was not. */
  paidOn: number | null;
  feeKobo: number;
  became: 'refunded' | 'disputed' | null;
  isPaidOut: boolean;
  /** Payouts leave it out for now. */
  isHeldBack: boolean;
  isForgotten: boolean;
}

/** A connection with a tally of its own, in plain numbers the service has no part in. */
export interface MonthAccount {
  name: Name;
  slot: string;
  connectionId: string;
  accountId: number;
  sales: Sale[];
  landedKobo: number;
  foreignKobo: number;
  /** Refunds and chargebacks that payouts took out, and those still to be taken out. */
  takenKobo: number;
  owedKobo: number;
  /** Payments under unknown references of our form that no payout holds yet. */
  unknownPayments: number;
}

export async function openMonthAccounts(stack: Stack): Promise<Record<Name, MonthAccount>> {
  const rows = await stack.sql<{ adapter: Name; slot: string; id: string }>`select adapter, slot, id
    from connections where tenant_id = ${stack.tenant.tenant_id}`;
  const none = { landedKobo: 0, foreignKobo: 0, takenKobo: 0, owedKobo: 0, unknownPayments: 0 };
  const accounts = rows.map(({ adapter: name, slot, id }): [Name, MonthAccount] => [
    name,
    { name, slot, connectionId: id, accountId: sandboxAccount(stack, id).id, sales: [], ...none },
  ]);
  return Object.fromEntries(accounts) as Record<Name, MonthAccount>;
}

export function feesOf({ sandbox: { store } }: Stack, references: readonly string[]) {
  return new Map(
    references.flatMap((reference) => {
      const paid = store.payment.find(`reference ${reference}`).find(({ paidAt }) => paidAt);
      return paid ? [[reference, paid.feeKobo!] as const] : [];
    }),
  );
}

export const netOf = ({ amountKobo, feeKobo }: Pick<Sale, 'amountKobo' | 'feeKobo'>): number =>
  amountKobo - feeKobo;

export const sum = (kobo: readonly number[]): number =>
  kobo.reduce((total, each) => total + each, 0);

export const waiting = ({ sales }: MonthAccount): Sale[] =>
  sales.filter((sale) => sale.paidOn !== null && !sale.isPaidOut && !sale.isForgotten);

/**
 * The sales that a payout of today leaves out: those held back, and at Monnify those of today that
 * were not paid by transfer.
 */
function leftOut(account: MonthAccount, today: number): Sale[] {
  return waiting(account).filter(
    ({ isHeldBack, channel, paidOn }) =>
      isHeldBack || (account.name === 'monnify' && channel !== 'bank_transfer' && paidOn === today),
  );
}

export async function payOut(
  stack: Stack,
  account: MonthAccount,
  today: number,
  oddities: Oddities = {},
): Promise<PaidOut> {
  const left = leftOut(account, today);
  const sales = waiting(account).filter((sale) => !left.includes(sale));
  const { accountId, owedKobo, unknownPayments } = account;
  const leave_out = left.map(({ reference }) => reference);
  const paidOut = await stack.control.settle(accountId, { ...oddities, leave_out });
  expect(paidOut).to.include({
    line_count: sales.length + unknownPayments + (oddities.foreign?.length ?? 0),
    deductions_kobo: owedKobo,
  });
  if (oddities.status === 'failed') return paidOut;
  for (const sale of sales) sale.isPaidOut = true;
  Object.assign(account, {
    owedKobo: 0,
    unknownPayments: 0,
    takenKobo: account.takenKobo + owedKobo,
    landedKobo: account.landedKobo + paidOut.landed_kobo,
  });
  for (const { reference, amount_kobo: amountKobo } of oddities.foreign ?? [])
    account.foreignKobo += amountKobo - feesOf(stack, [reference!]).get(reference!)!;
  return paidOut;
}

export async function topUp(
  { control }: Stack,
  account: MonthAccount,
  { id, landed_kobo: before }: PaidOut,
  kobo: number,
): Promise<void> {
  await control.changeSettlement(id, { landed_kobo: before + kobo });
  account.landedKobo += kobo;
}

export function release({ sandbox: { store } }: Stack, { id }: PaidOut): void {
  const settlement = store.settlement.get(id)!;
  for (const deduction of deductionsIn(store, settlement))
    store.deduction.change(deduction, { settlementId: null });
  for (const payment of settlement.paymentIds)
    store.payment.change(store.payment.get(payment)!, { settlementId: null });
}
