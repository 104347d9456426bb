import type { SettlementLine } from '../../../../../domain/providers/payouts.ts';
import { DAY, HOUR } from '../../../../support/clock.ts';
import type { Payout } from '../fixture.ts';
import type { Gone, Payment, World } from './live.ts';

/** A discrepancy as the model expects it: its kind, whose it is, its part of expected - landed. */
export type Expected = [kind: string, whose: string, differenceKobo: number];

/** What one payout should come to. */
export interface Account {
  expectedKobo: number;
  landedKobo: number;
  foreignKobo: number;
  discrepancies: Expected[];
}

/** What is thought to be coming on a day. */
export type Coming = [
  day: string,
  grossKobo: number,
  feeKobo: number,
  backKobo: number,
  count: number,
];

/** What the rules chose where more than one choice is right: which payout has a payment, and which took out what went back. */
export interface Choices {
  /** The provider's name of the payout that has a payment, by payment. */
  holder: Map<string, string>;
  /** What payouts took out so far, by refund or dispute. */
  taken: Map<string, number>;
  /** Of which a payout took out that much, by the provider's name of the payout. */
  known: Map<string, number>;
  /** The fee on record of a payment whose fee nobody had stated. */
  fee: Map<string, number | null>;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** Days are counted by plain arithmetic here: Lagos is an hour before UTC, all year. */
export const dayOf = (moment: Date) => new Date(moment.getTime() + HOUR).toISOString().slice(0, 10);

export function payday(capturedAt: Date): string {
  let ms = Date.parse(dayOf(capturedAt)) + DAY;
  while ([0, 6].includes(new Date(ms).getUTCDay())) ms += DAY;
  return new Date(ms).toISOString().slice(0, 10);
}

/** The fee our books hold of a payment, or its line's where neither its provider nor its first line had stated one. */
export function feeOf(payment: Payment, { fee }: Choices, line?: SettlementLine): number {
  if (payment.isFeeStated) return payment.feeKobo;
  return fee.get(payment.id) ?? line?.feeKobo ?? 0;
}

/** What a payout that landed comes to. */
export function accountFor(payout: Payout, world: World, choices: Choices): Account {
  const name = payout.providerSettlementId;
  const found: Expected[] = [];
  const [ours, theirs, foreign]: [number[], number[], number[]] = [[], [], []];
  for (const line of payout.lines) {
    const payment = world.payments.find(({ id }) => id === line.providerPaymentId);
    const holder = choices.holder.get(line.providerPaymentId);
    const ownFeeKobo = payment?.isHeard ? feeOf(payment, choices, line) : (line.feeKobo ?? 0);
    const lineFeeKobo = line.feeKobo ?? ownFeeKobo;
    const lineKobo = line.amountKobo - lineFeeKobo;
    theirs.push(lineKobo);
    if (line.reference.startsWith('ORDER-')) {
      foreign.push(lineKobo);
    } else if (holder !== name) {
      found.push(['amount_mismatch', name, -lineKobo]);
    } else if (!payment?.isHeard) {
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

/** What is left to be taken out of payouts, by what went back. */
export function leftOf({ id, kobo }: Gone, { taken }: Choices): number {
  return kobo - (taken.get(id) ?? 0);
}

/** Payments we know of that no payout has. What went back entirely first is none of them, unless a payout took a part of that out. */
export function waitingOf({ payments, gone }: World, choices: Choices): Payment[] {
  return payments.filter((payment) => {
    if (!payment.isHeard || choices.holder.has(payment.id)) return false;
    const back = gone.filter(({ paymentId }) => paymentId === payment.id);
    return (
      sum(back.map(({ kobo }) => kobo)) < payment.amountKobo ||
      back.some(({ id }) => (choices.taken.get(id) ?? 0) > 0)
    );
  });
}

/** What should be forecast: a payout for each day on which something waits; the next one pays for what was paid out and went back since. */
export function comingOf(world: World, choices: Choices, today: string): Coming[] {
  const waiting = waitingOf(world, choices);
  const days = [...new Set(waiting.map(({ at }) => payday(at)))].sort();
  const backOf = (of: (paymentId: string) => boolean) =>
    sum(world.gone.filter(({ paymentId }) => of(paymentId)).map((gone) => leftOf(gone, choices)));
  const next = days.find((day) => day >= today);
  return days.map((day): Coming => {
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
