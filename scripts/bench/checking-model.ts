import { nextCheckAt, type Watched } from '../../domain/payments/attempt/schedule.ts';
import {
  beginRound,
  endRound,
  type ListingProgress,
  nextRoundAt,
} from '../../domain/payments/listing/round.ts';
import { DAY_MS } from '../../domain/shared/units.ts';

const LIFETIME_MS = DAY_MS;
const PAYMENTS_PER_PAGE = 100;
/** Checks go on for three days after a charge failed. */
const SIMULATED_MS = 5 * DAY_MS;

/** A charge of the simulated connection, with its payment if there is one. Times in ms. */
interface ModelCharge {
  acceptedMs: number;
  paidMs: number | null;
  /** False: no notification arrives of its payment. */
  isNotified: boolean;
}

interface ListedRound {
  atMs: number;
  fromMs: number;
  pages: number;
}

/** What checking cost and found. */
export interface CheckingFigures {
  ownCalls: number;
  pages: number;
  /** From payment to record, of payments without a notification. */
  foundSeconds: number[];
}

export interface CheckingLoad {
  /** Never paid. They are accepted evenly over a day. */
  unpaid: number;
  /** Paid at any time before their end, without a notification. */
  unnotified: number;
  /** Paid within ten minutes, with a notification: they fill pages of the list. */
  notified: number;
  /** In [0, 1). */
  random: () => number;
}

/**
 * Simulates a connection of a provider whose links have no end, by the very functions that decide
 * when workers check an attempt and which payments they list. Every call is answered at once.
 */
export function simulateChecking({
  unpaid,
  unnotified,
  notified,
  random,
}: CheckingLoad): CheckingFigures {
  const make = (count: number, paysWithinMs: number | null, isNotified: boolean) =>
    Array.from({ length: count }, (): ModelCharge => {
      const acceptedMs = Math.floor(random() * DAY_MS);
      const paidMs = paysWithinMs && acceptedMs + Math.floor(random() * paysWithinMs);
      return { acceptedMs, paidMs, isNotified };
    });
  const waiting = make(unpaid, null, false);
  const silent = make(unnotified, LIFETIME_MS, false);
  const paid = [...silent, ...make(notified, 10 * 60_000, true)];
  const rounds = listRounds(paid);
  const found = silent.map((charge) => foundAfter(charge, rounds));
  return {
    ownCalls: sum([
      ...waiting.map((charge) => ownChecks(charge, Number.POSITIVE_INFINITY).length),
      ...found.map(({ ownCalls }) => ownCalls),
    ]),
    pages: sum(rounds.map(({ pages }) => pages)),
    foundSeconds: found.map(({ waitedMs }) => waitedMs / 1_000),
  };
}

/** The lists that are read while a charge may be paid. */
function listRounds(paid: readonly ModelCharge[]): ListedRound[] {
  const rounds: ListedRound[] = [];
  let progress: ListingProgress | null = null;
  for (let atMs = 0; atMs < 2 * DAY_MS; ) {
    const begun: ReturnType<typeof beginRound> = beginRound(progress, new Date(atMs), LIFETIME_MS);
    const fromMs = Date.parse(begun.round.from);
    const listed = paid.filter(
      ({ acceptedMs, paidMs }) => acceptedMs >= fromMs && paidMs! <= atMs,
    ).length;
    const pages = Math.max(1, Math.ceil(listed / PAYMENTS_PER_PAGE));
    rounds.push({ atMs, fromMs, pages });
    progress = endRound({ ...begun, round: { ...begun.round, pages } });
    atMs = nextRoundAt(new Date(atMs), true, '').getTime();
  }
  return rounds;
}

/** A payment is found by the first list that shows it, or by a check of its attempt before. */
function foundAfter(charge: ModelCharge, rounds: readonly ListedRound[]) {
  const { acceptedMs, paidMs } = charge;
  const listed = rounds.find(({ atMs, fromMs }) => atMs >= paidMs! && acceptedMs >= fromMs);
  const checks = ownChecks(charge, listed?.atMs ?? Number.POSITIVE_INFINITY);
  const checkedMs = checks.find((atMs) => atMs >= paidMs!) ?? Number.POSITIVE_INFINITY;
  const foundMs = Math.min(checkedMs, listed?.atMs ?? Number.POSITIVE_INFINITY);
  return { waitedMs: foundMs - paidMs!, ownCalls: checks.filter((at) => at <= foundMs).length };
}

/** The times at which an attempt is checked, until then. */
function ownChecks({ acceptedMs }: ModelCharge, untilMs: number): number[] {
  const checks: number[] = [];
  const expiresMs = acceptedMs + LIFETIME_MS;
  const watched: Watched = {
    since: new Date(acceptedMs),
    linkExpiresAt: null,
    chargeExpiresAt: new Date(expiresMs),
    cancelRequestedAt: null,
    failedAt: null,
    isDeclined: false,
    isUnderpaid: false,
    paidAt: null,
    verifiedAt: null,
    isListed: true,
  };
  let atMs = acceptedMs;
  for (;;) {
    const failedAt = atMs >= expiresMs ? new Date(expiresMs) : null;
    const next = nextCheckAt({ ...watched, failedAt, verifiedAt: new Date(atMs) }, new Date(atMs));
    if (!next || next.getTime() > Math.min(untilMs, acceptedMs + SIMULATED_MS)) return checks;
    atMs = next.getTime();
    checks.push(atMs);
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
