import type { Payouts, ProviderSettlement, SettlementLine } from '../../providers/payouts.ts';
import { isDeferral, ProviderError } from '../../providers/provider.ts';
import { lagosDay } from '../../shared/lagos.ts';
import type { Database } from '../../shared/sql.ts';
import type { InTx } from '../../shared/tx.ts';
import { capabilitiesOf, paysOut, type SettlementAccount } from './account.ts';
import { weighAll } from './again.ts';
import { forecast, planCaptures } from './forecast.ts';
import { dropStaleLines, type ReadSettlement, recordLines } from './lines.ts';
import { findMissing, resolvePaidOut } from './missing.ts';
import { recordStatement } from './statement.ts';

/** Who is asked about payouts, and where the answers are written. */
export interface PayoutDesk {
  db: Database;
  inTx: InTx;
  clock: () => Date;
  provider: Payouts;
  account: SettlementAccount;
  timeoutMs: number;
  /** False once it is time to stop: what is left is the next round's. Nothing is begun over again by that. */
  hasTime: () => boolean;
}

/** Which payouts a provider is asked for, by the time they are dated, and how far their list was read. Holds for days. */
export interface Span {
  from: Date;
  to: Date;
  /** Where its next page begins; null or absent: with the first one. */
  cursor?: string | null;
  isListed?: boolean;
}

/** How a round ended. */
export interface Round {
  isDone: boolean;
  /** What the provider did not answer; null: it answered everything. */
  error: ProviderError | null;
  /** The span to go on with; null: the next round begins its own. */
  rest: Span | null;
}

/**
 * Reconciles one connection: reads the provider's payouts of a time with their lines, settles charges, weighs every payout against our
 * books, and forecasts what is still to come. Every step is a transaction that may be done again: run twice, at once with another, or killed at
 * any point, it comes to the same.
 */
export async function reconcile(desk: PayoutDesk, span: Span): Promise<Round> {
  while ((await planCaptures(desk.db, desk.account)) > 0 && desk.hasTime());
  const place = { ...span };
  const underWay: ProviderSettlement[] = [];
  const read = await readPayouts(desk, place, underWay);
  const isWeighed = await weighAll(desk);
  await inOwnTx(desk, (tx) => resolvePaidOut(tx, desk.account));
  if (paysOut(desk.account)) {
    await inOwnTx(desk, (tx) => forecast(tx, desk.account));
    // What is under way is that of which we think by now that it is coming.
    for (const stated of underWay) await record(desk, stated);
    await inOwnTx(desk, (tx) => findMissing(tx, desk.account, read.isDone));
  }
  const { error } = read;
  const isDone = read.isDone && isWeighed;
  // What one answer is wrong about may be said otherwise by the next: only who could not go on goes on.
  return { isDone, error, rest: isDone || (error && !isDeferral(error)) ? null : place };
}

function inOwnTx(
  { inTx }: PayoutDesk,
  work: (tx: Parameters<Parameters<InTx>[0]>[0]) => Promise<void>,
): Promise<void> {
  return inTx(async (tx) => {
    await work(tx);
    return [];
  });
}

/** A provider that goes on for longer than this has lost count of its pages. */
const MOST_PAGES = 1_000;

type Reading = Pick<Round, 'isDone' | 'error'>;

/** Reads on from a place in the list of payouts, and leaves there how far it came. */
async function readPayouts(
  desk: PayoutDesk,
  place: Span,
  underWay: ProviderSettlement[],
): Promise<Reading> {
  return hearing(async () => {
    if (!place.isListed) await list(desk, place, underWay);
    const lines = await readAllLines(desk);
    if (!lines.isDone || !place.isListed) return { ...lines, isDone: false };
    return capabilitiesOf(desk.account).settlements === 'list' ? lines : lookForOthers(desk);
  });
}

async function hearing(ask: () => Promise<Reading>): Promise<Reading> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderError) return { isDone: false, error };
    throw error;
  }
}

async function list(desk: PayoutDesk, place: Span, underWay: ProviderSettlement[]): Promise<void> {
  let pages = 0;
  do {
    if (++pages > MOST_PAGES)
      throw new ProviderError(
        'unknown',
        'settlements',
        `the list has more than ${MOST_PAGES} pages`,
      );
    const { from, to, cursor = null } = place;
    const page = await desk.provider.listSettlements(
      { from, to, cursor },
      { timeoutMs: desk.timeoutMs },
    );
    for (const stated of page.rows) await record(desk, stated);
    underWay.push(...page.rows.filter(({ state }) => state === 'pending'));
    Object.assign(place, { cursor: page.next, isListed: page.next === null });
  } while (!place.isListed && desk.hasTime());
}

function record(desk: PayoutDesk, stated: ProviderSettlement): Promise<void> {
  return inOwnTx(desk, (tx) => recordStatement(tx, desk.account, stated));
}

/** Settlements whose lines are to be read. At most a few, unless nobody has looked for long. */
const MOST_SETTLEMENTS = 200;

/** Done when all lines of all settlements are read. One whose lines cannot be read does not hold up the others. */
async function readAllLines(desk: PayoutDesk): Promise<Reading> {
  const settlements = await desk.db.query<ReadSettlement & Place>(
    `select id, provider_settlement_id, landed_at, lines_cursor, lines_read_at, reading, stated_state
     from settlements where connection_id = $1 and weighed_at is null and not is_forecast and lines_read_at is null and stated_state = 'landed'
     order by id limit ${MOST_SETTLEMENTS}`,
    [desk.account.id],
  );
  let failure: ProviderError | null = null;
  for (const settlement of settlements) {
    const { isDone, error } = await hearing(() => readLines(desk, settlement));
    if (!isDone && (!error || isDeferral(error))) return { isDone, error: error ?? failure };
    failure ??= error;
  }
  return { isDone: failure === null && settlements.length < MOST_SETTLEMENTS, error: failure };
}

/** Reads on from the page that was read last, be it by a process that is no more. Whoever else reads at once is joined where they are. */
async function readLines(desk: PayoutDesk, settlement: ReadSettlement & Place): Promise<Reading> {
  let place: Place = settlement;
  while (place.lines_read_at === null && place.stated_state === 'landed') {
    if (!desk.hasTime()) return { isDone: false, error: null };
    const query = {
      providerSettlementId: settlement.provider_settlement_id,
      cursor: place.lines_cursor,
    };
    const page = await desk.provider.listLines(query, { timeoutMs: desk.timeoutMs });
    await recordPage(desk, { ...settlement, ...place }, page.rows);
    place = await turnPage(desk, settlement.id, place, page.next);
  }
  return { isDone: true, error: null };
}

interface Place extends Pick<ReadSettlement, 'lines_cursor' | 'lines_read_at' | 'reading'> {
  stated_state: ProviderSettlement['state'];
}

/** Writes how far was read, unless somebody else got further meanwhile, or it was stated anew. Returns where to go on. */
async function turnPage(
  desk: PayoutDesk,
  id: string,
  { lines_cursor: cursor, reading }: Place,
  next: string | null,
): Promise<Place> {
  await inOwnTx(desk, async (tx) => {
    await tx.sql.query(
      `update settlements set lines_cursor = $3, lines_read_at = $4
       where id = $1 and lines_cursor is not distinct from $2 and lines_read_at is null and reading = $5`,
      [id, cursor, next, next === null ? tx.now : null, reading],
    );
    await dropStaleLines(tx, id);
  });
  const [place] = await desk.db.query<Place>(
    'select lines_cursor, lines_read_at, reading, stated_state from settlements where id = $1',
    [id],
  );
  return place!;
}

/** As many lines as one transaction takes: their charges are locked for it. */
const LINES_AT_ONCE = 100;

async function recordPage(
  { inTx, account }: PayoutDesk,
  settlement: ReadSettlement,
  lines: readonly SettlementLine[],
): Promise<void> {
  for (let first = 0; first < lines.length; first += LINES_AT_ONCE) {
    await inTx((tx) =>
      recordLines(tx, account, settlement, lines.slice(first, first + LINES_AT_ONCE)),
    );
  }
}

/** Payments asked about in one round. */
const MOST_ASKED = 20;

/**
 * Where a provider has no list of its payouts and its word of one was lost: asks which payout holds a payment that should have been paid
 * out. One payment of each day stands for the others; another one every time, for the first may truly be in none.
 */
async function lookForOthers(desk: PayoutDesk): Promise<Reading> {
  const now = desk.clock();
  const payments = await desk.db.query<{ id: string; provider_payment_id: string }>(
    `select distinct on (settles_on) id, provider_payment_id from captures
     where connection_id = $1 and settlement_id is null and settles_on < $2 order by settles_on desc, md5(id || $3) limit ${MOST_ASKED}`,
    [desk.account.id, lagosDay(now), now.toISOString()],
  );
  for (const { id, provider_payment_id: paymentId } of payments) {
    if (!desk.hasTime()) return { isDone: false, error: null };
    const [paidOut] = await desk.db.query(
      'select 1 from captures where id = $1 and settlement_id is not null',
      [id],
    );
    const stated = paidOut
      ? undefined
      : await desk.provider.settlementOf(paymentId, { timeoutMs: desk.timeoutMs });
    if (!stated) continue;
    await record(desk, stated);
    const lines = await readAllLines(desk);
    if (!lines.isDone) return lines;
  }
  return { isDone: true, error: null };
}
