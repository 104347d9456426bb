import { nextCheckAt, type Watched } from '../../domain/payments/attempt/schedule.ts';
import {
  beginRound,
  endRound,
  type ListingProgress,
  nextRoundAt,
} from '../../domain/payments/listing/round.ts';
import { DAY_MS } from '../../domain/shared/units.ts';
import { diceOf } from '../local/demo-history/random.ts';
import type { Bench, Measured } from './bench.ts';
import { rounded, roundedPercentile } from './figures.ts';

const UNPAID = 100_000;
const UNNOTIFIED = 1_000;
const SEED = 20_260_302;
const LIFETIME_MS = DAY_MS;
const NOTIFIED_WITHIN_MS = 10 * 60_000;
const PAYMENTS_PER_PAGE = 100;
/** Checks go on for three days after a charge failed. */
const SIMULATED_MS = 5 * DAY_MS;

export const checking: Bench = {
  name: 'checking',
  description:
    'What watching 100,000 unpaid charges costs, and how soon payments are found among them',
  about: [
    `${UNPAID} unpaid charges a day of one connection, with ${UNNOTIFIED} payments that no notification told of.`,
    'Simulated by the functions that workers follow. Busy: beside as many payments that were notified.',
  ],
  async measure(): Promise<Measured> {
    const quiet = simulate(0);
    const busy = simulate(UNPAID);
    return {
      figures: {
        unpaid_charges: UNPAID,
        calls_per_charge: quiet.callsPerCharge,
        own_calls_per_charge: quiet.ownCallsPerCharge,
        found_p50_seconds: quiet.foundP50,
        found_p99_seconds: quiet.foundP99,
        busy_calls_per_charge: busy.callsPerCharge,
        busy_found_p50_seconds: busy.foundP50,
        busy_found_p99_seconds: busy.foundP99,
      },
    };
  },
};

type PaidCharge = { acceptedMs: number; paidMs: number };

/** A simulated connection: silent charges are paid at any time, `notified` others soon. */
function simulate(notified: number) {
  const { next: random } = diceOf(SEED);
  const accepted = () => Math.floor(random() * DAY_MS);
  const paid = (count: number, withinMs: number) =>
    Array.from({ length: count }, (): PaidCharge => {
      const acceptedMs = accepted();
      return { acceptedMs, paidMs: acceptedMs + Math.floor(random() * withinMs) };
    });
  const unpaid = Array.from({ length: UNPAID }, accepted);
  const silent = paid(UNNOTIFIED, LIFETIME_MS);
  const rounds = listRounds([...silent, ...paid(notified, NOTIFIED_WITHIN_MS)]);
  const found = silent.map((charge) => foundAfter(charge, rounds));
  const ownCalls = sum([
    ...unpaid.map((acceptedMs) => ownChecks(acceptedMs, Number.POSITIVE_INFINITY).length),
    ...found.map((each) => each.ownCalls),
  ]);
  const listCalls = sum(rounds.map(({ pages }) => pages));
  const seconds = found.map(({ waitedMs }) => waitedMs / 1_000);
  const charges = UNPAID + UNNOTIFIED;
  return {
    callsPerCharge: rounded((ownCalls + listCalls + UNNOTIFIED) / charges, 2),
    ownCallsPerCharge: rounded(ownCalls / charges, 2),
    foundP50: roundedPercentile(seconds, 50, 1),
    foundP99: roundedPercentile(seconds, 99, 1),
  };
}

type ListedRound = { atMs: number; fromMs: number; pages: number };

function listRounds(paid: readonly PaidCharge[]): ListedRound[] {
  const rounds: ListedRound[] = [];
  let progress: ListingProgress | null = null;
  for (let atMs = 0; atMs < 2 * DAY_MS; ) {
    const begun: ReturnType<typeof beginRound> = beginRound(progress, new Date(atMs), LIFETIME_MS);
    const fromMs = Date.parse(begun.round.from);
    const listed = paid.filter(({ acceptedMs, paidMs }) => acceptedMs >= fromMs && paidMs <= atMs);
    const pages = Math.max(1, Math.ceil(listed.length / PAYMENTS_PER_PAGE));
    rounds.push({ atMs, fromMs, pages });
    progress = endRound({ ...begun, round: { ...begun.round, pages } });
    atMs = nextRoundAt(new Date(atMs), true, '').getTime();
  }
  return rounds;
}

/** A payment is found by the first list that shows it, or by a check of its attempt before. */
function foundAfter({ acceptedMs, paidMs }: PaidCharge, rounds: readonly ListedRound[]) {
  const listed = rounds.find(({ atMs, fromMs }) => atMs >= paidMs && acceptedMs >= fromMs);
  const listedMs = listed?.atMs ?? Number.POSITIVE_INFINITY;
  const checks = ownChecks(acceptedMs, listedMs);
  const foundMs = checks.find((atMs) => atMs >= paidMs) ?? listedMs;
  return { waitedMs: foundMs - paidMs, ownCalls: checks.filter((at) => at <= foundMs).length };
}

function ownChecks(acceptedMs: number, untilMs: number): number[] {
  const checks: number[] = [];
  const expiresMs = acceptedMs + LIFETIME_MS;
  const watched: Watched = {
    since: new Date(acceptedMs),
    chargeExpiresAt: new Date(expiresMs),
    ...{ linkExpiresAt: null, cancelRequestedAt: null, failedAt: null, paidAt: null },
    ...{ isDeclined: false, isUnderpaid: false, verifiedAt: null, isListed: true },
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
