import type { SettlementLine } from '../../../../../domain/providers/port/settlement.ts';
import { DAY, HOUR } from '../../../../support/clock.ts';
import type { Payout } from '../fixture.ts';
import { type Gone, type Payment, sum, type World } from './run-history.ts';

/** A discrepancy that the model expects: its kind, its payment or payout, its difference. */
export type Expected = [kind: string, whose: string, differenceKobo: number];

export interface Account {
  expectedKobo: number;
  landedKobo: number;
  foreignKobo: number;
  discrepancies: Expected[];
}

export type ExpectedForecast = [
  day: string,
  grossKobo: number,
  feeKobo: number,
  backKobo: number,
  count: number,
];

/**
 * What the rules chose where more than one choice is right: which payout has a payment, and which one
 * took out a refund or chargeback.
 */
export interface Choices {
  holder: Map<string, string>;
  deducted: Map<string, number>;
  /** What a payout took out for refunds and disputes on record, by the payout. */
  known: Map<string, number>;
  /** The fee on record of a payment whose provider had not stated one. */
  fee: Map<string, number | null>;
}

/** The day in Lagos, by plain arithmetic: it is an hour ahead of UTC, all year. */
export const dayOf = (moment: Date) => new Date(moment.getTime() + HOUR).toISOString().slice(0, 10);

export function payday(capturedAt: Date): string {
  let ms = Date.parse(dayOf(capturedAt)) + DAY;
  while ([0, 6].includes(new Date(ms).getUTCDay())) ms += DAY;
  return new Date(ms).toISOString().slice(0, 10);
}

export function feeOf(payment: Payment, { fee }: Choices, line?: SettlementLine): number {
  if (payment.isFeeStated) return payment.feeKobo;
  return fee.get(payment.id) ?? line?.feeKobo ?? 0;
}

export function accountFor(payout: Payout, world: World, choices: Choices): Account {
  const name = payout.providerSettlementId;
  const found: Expected[] = [];
  const [ours, theirs, foreign]: [number[], number[], number[]] = [[], [], []];
  for (const line of payout.lines) {
    const payment = world.payments.find(({ id }) => id === line.providerPaymentId);
    const holder = choices.holder.get(line.providerPaymentId);
    const ownFeeKobo = payment?.isRecorded ? feeOf(payment, choices, line) : (line.feeKobo ?? 0);
    const lineFeeKobo = line.feeKobo ?? ownFeeKobo;
    const lineKobo = line.amountKobo - lineFeeKobo;
    theirs.push(lineKobo);
    if (line.reference.startsWith('ORDER-')) {
      foreign.push(lineKobo);
    } else if (holder !== name) {
      found.push(['amount_mismatch', name, -lineKobo]);
    } else if (!payment?.isRecorded) {
      found.push(['never_notified', line.providerPaymentId, -lineKobo]);
    } else {
      ours.push(payment.amountKobo - ownFeeKobo);
      const [more, dearer] = [payment.amountKobo - line.amountKobo, lineFeeKobo - ownFeeKobo];
      if (more + dearer === 0) continue; // the payer bore it
      if (more !== 0) found.push(['amount_mismatch', name, more]);
      if (dearer !== 0) found.push(['fee_mismatch', name, dearer]);
    }
  }
  const knownKobo = choices.known.get(name) ?? 0;
  const takenKobo = payout.deductionsKobo ?? knownKobo;
  const landedKobo = payout.amountKobo ?? sum(theirs) - (payout.deductionsKobo ?? 0);
  const shortKobo = sum(theirs) - takenKobo - landedKobo;
  if (takenKobo !== knownKobo) found.push(['deduction_mismatch', name, takenKobo - knownKobo]);
  if (shortKobo !== 0) found.push([shortKobo > 0 ? 'short' : 'surplus', name, shortKobo]);
  const [expectedKobo, foreignKobo] = [sum(ours) - knownKobo + sum(foreign), sum(foreign)];
  return { expectedKobo, landedKobo, foreignKobo, discrepancies: found };
}

export function leftOf({ id, kobo }: Gone, { deducted }: Choices): number {
  return kobo - (deducted.get(id) ?? 0);
}

/**
 * Payments on record that no payout has, without those that were refunded entirely, unless a payout
 * took out a part of that.
 */
export function waitingOf({ payments, gone }: World, choices: Choices): Payment[] {
  return payments.filter((payment) => {
    if (!payment.isRecorded || choices.holder.has(payment.id)) return false;
    const back = gone.filter(({ paymentId }) => paymentId === payment.id);
    return (
      sum(back.map(({ kobo }) => kobo)) < payment.amountKobo ||
      back.some(({ id }) => (choices.deducted.get(id) ?? 0) > 0)
    );
  });
}

/**
 * The forecasts there should be: one for each day on which payments wait. The next one takes out what
 * is owed for payments that were paid out before.
 */
export function forecastsOf(world: World, choices: Choices, today: string): ExpectedForecast[] {
  const waiting = waitingOf(world, choices);
  const days = [...new Set(waiting.map(({ at }) => payday(at)))].sort();
  const backOf = (of: (paymentId: string) => boolean) =>
    sum(world.gone.filter(({ paymentId }) => of(paymentId)).map((gone) => leftOf(gone, choices)));
  const next = days.find((day) => day >= today);
  return days.map((day): ExpectedForecast => {
    const its = waiting.filter(({ at }) => payday(at) === day);
    const backKobo =
      backOf((id) => its.some((payment) => payment.id === id)) +
      (day === next ? backOf((id) => choices.holder.has(id)) : 0);
    return [
      day,
      sum(its.map(({ amountKobo }) => amountKobo)),
      sum(its.map((payment) => feeOf(payment, choices))),
      backKobo,
      its.length,
    ];
  });
}
