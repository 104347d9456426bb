import { accountOf } from './accounts.ts';
import type { SandboxContext } from './context.ts';
import { notifyOfSettlement } from './notifications.ts';
import { ofReference, takeUnrequestedPayment } from './payments.ts';
import type { Account, Deduction, Payment, Settlement, SettlementStatus } from './records.ts';
import { sum } from './refunds.ts';
import type { Store } from './store.ts';

/** What a payout contains and how it ends. */
export interface Payout {
  at: Date;
  status: SettlementStatus;
  shortByKobo: number;
  /** Deducted without a refund or a dispute. */
  deductKobo: number;
  /** Payments that are not in it, and wait for a later one. */
  leftOut: number[];
  /** Lines that state more or less than was paid, or another fee. */
  lines: LineChange[];
  /** Payments of the merchant's other business, paid now and in it. */
  foreign: { reference: string; amountKobo: number }[];
  notify: boolean;
}

export type LineChange = { payment: Payment; offKobo: number; feeOffKobo: number };

/** Pays out what waits, less what is owed, oldest first and as far as the money reaches. */
export function settleAccount(context: SandboxContext, account: Account, payout: Payout) {
  const { store } = context;
  for (const foreign of payout.foreign)
    takeUnrequestedPayment(context, account, { ...foreign, channel: 'card', at: payout.at });
  const payments = waitingPayments(store, account).filter(({ id }) => !payout.leftOut.includes(id));
  if (payments.length === 0) return undefined;
  for (const { payment, offKobo, feeOffKobo } of payout.lines)
    store.payment.change(payment, {
      lineKobo: payment.paidKobo! + offKobo,
      lineFeeKobo: payment.feeKobo! + feeOffKobo,
    });
  const settlement = store.settlement.add({
    ...{ accountId: account.id, status: payout.status, paymentIds: payments.map(({ id }) => id) },
    ...{ grossKobo: 0, feeKobo: 0, stampDutyKobo: 0, deductionsKobo: 0, levyKobo: 0 },
    ...{ landedKobo: 0, createdAt: payout.at, updatedAt: payout.at },
    landedAt: payout.status === 'landed' ? payout.at : null,
  });
  for (const payment of payments) store.payment.change(payment, { settlementId: settlement.id });
  const { grossKobo, feeKobo } = sumLines(context, settlement);
  const levyKobo = Math.min(payout.deductKobo, grossKobo - feeKobo);
  takeDeductions(store, settlement, grossKobo - feeKobo - levyKobo);
  store.settlement.change(settlement, { levyKobo });
  computeTotals(context, settlement, payout.shortByKobo);
  if (payout.notify) notifyOfSettlement(context, settlement);
  return settlement;
}

/** An account's paid payments that no settlement has paid out, oldest first. */
export function waitingPayments(store: Store, { id }: Account): Payment[] {
  return store.payment
    .find(`account ${id}`)
    .filter(({ paidAt, settlementId }) => paidAt !== null && settlementId === null)
    .reverse();
}

function takeDeductions(store: Store, { id, accountId }: Settlement, netKobo: number): void {
  let takenKobo = 0;
  for (const deduction of owed(store, { id: accountId }).reverse()) {
    takenKobo += deduction.amountKobo;
    if (takenKobo <= netKobo) store.deduction.change(deduction, { settlementId: id });
  }
}

/** What an account owes back and no settlement has taken, newest first. */
function owed(store: Store, { id }: Pick<Account, 'id'>): Deduction[] {
  return store.deduction.find(`account ${id}`).filter(({ settlementId }) => settlementId === null);
}

/** The deductions of a settlement, oldest first. */
export function deductionsIn(store: Store, { id, accountId }: Settlement): Deduction[] {
  return store.deduction
    .find(`account ${accountId}`)
    .filter(({ settlementId }) => settlementId === id)
    .reverse();
}

/** The payments of a settlement as its lines state them, oldest first. */
export function linesOf(store: Store, { paymentIds }: Settlement): Payment[] {
  return paymentIds.map((id) => asStated(store.payment.get(id)!));
}

/** A payment as its line in a settlement states it. */
export function asStated(payment: Payment): Payment {
  const { lineKobo, lineFeeKobo, paidKobo, feeKobo } = payment;
  return { ...payment, paidKobo: lineKobo ?? paidKobo, feeKobo: lineFeeKobo ?? feeKobo };
}

export function currencyStated({ lineCurrency }: Pick<Payment, 'lineCurrency'>): string {
  return lineCurrency ?? 'NGN';
}

function sumLines({ store, providers }: SandboxContext, settlement: Settlement) {
  const { stampDutyKobo: dutyOf } = providers[accountOf(store, settlement).provider];
  const sums = { grossKobo: 0, feeKobo: 0, stampDutyKobo: 0 };
  for (const { paidKobo, feeKobo } of linesOf(store, settlement)) {
    sums.grossKobo += paidKobo!;
    sums.feeKobo += feeKobo!;
    sums.stampDutyKobo += Math.min(feeKobo!, dutyOf?.(paidKobo!) ?? 0);
  }
  return sums;
}

function computeTotals(context: SandboxContext, settlement: Settlement, shortByKobo: number): void {
  const { store } = context;
  const sums = sumLines(context, settlement);
  const deductionsKobo = settlement.levyKobo + sum(deductionsIn(store, settlement));
  const landedKobo = sums.grossKobo - sums.feeKobo - deductionsKobo - shortByKobo;
  const totals = { ...sums, deductionsKobo, landedKobo: Math.max(0, landedKobo) };
  store.settlement.change(settlement, totals);
}

export interface SettlementChange {
  at: Date;
  status?: SettlementStatus | undefined;
  landedKobo?: number | undefined;
  notify: boolean;
}

/** Changes a payout later: it lands, bounces, or is topped up. Money that landed is notified. */
export function changeSettlement(
  context: SandboxContext,
  settlement: Settlement,
  { at, status, landedKobo, notify }: SettlementChange,
): void {
  const before = { ...settlement };
  const after = status ?? before.status;
  context.store.settlement.change(settlement, {
    status: after,
    landedKobo: landedKobo ?? before.landedKobo,
    updatedAt: at,
    landedAt: after === 'landed' ? (before.landedAt ?? at) : null,
  });
  const hasNewMoney = before.status !== 'landed' || settlement.landedKobo !== before.landedKobo;
  if (hasNewMoney && notify) notifyOfSettlement(context, settlement);
}

/** What would be paid out now; less than nothing while more is owed. */
export function unsettledKobo(store: Store, account: Account): number {
  const owedKobo = sum(owed(store, account));
  const waiting = waitingPayments(store, account);
  return waiting.reduce((kobo, payment) => kobo + payment.paidKobo! - payment.feeKobo!, -owedKobo);
}

export function findSettlement(store: Store, { id: accountId }: Account, id = 0) {
  const settlement = store.settlement.get(id);
  return settlement?.accountId === accountId ? settlement : undefined;
}

/** Loses a payment with all under its reference; its settlements are computed again without it. */
export function forgetPayment(context: SandboxContext, { accountId, reference }: Payment): number {
  const { store } = context;
  const payments = ofReference(store, accountOf(store, { accountId }), reference);
  const changed = new Set<number | null>();
  for (const payment of payments) {
    changed.add(payment.settlementId);
    for (const deduction of store.deduction.find(`payment ${payment.id}`))
      changed.add(deduction.settlementId);
    for (const kind of ['refund', 'dispute', 'deduction'] as const)
      for (const document of store[kind].find(`payment ${payment.id}`))
        store[kind].remove(document as never);
    store.payment.remove(payment);
  }
  for (const id of changed) {
    const settlement = store.settlement.get(id ?? 0);
    if (!settlement) continue;
    const { grossKobo, feeKobo, deductionsKobo, landedKobo } = settlement;
    const paymentIds = settlement.paymentIds.filter((payment) => store.payment.get(payment));
    store.settlement.change(settlement, { paymentIds });
    computeTotals(context, settlement, grossKobo - feeKobo - deductionsKobo - landedKobo);
  }
  return payments.length;
}
