import { lagosDay } from '../lagos.ts';
import type { Atomically } from '../phase.ts';
import type { Payouts, ProviderSettlement, SettlementLine } from '../providers/payouts.ts';
import { ProviderError } from '../providers/provider.ts';
import type { Database } from '../sql.ts';
import { paysOut, type SettlementAccount, termsOf } from './account.ts';
import { forecast, planCaptures } from './forecast.ts';
import { dropStaleLines, type ReadSettlement, recordLines } from './lines.ts';
import { findMissing } from './missing.ts';
import { recordStatement } from './statement.ts';
import { weighSettlement } from './weigh.ts';

/** Who is asked about payouts, and where the answers are written. */
export interface PayoutDesk {
  db: Database;
  atomically: Atomically;
  clock: () => Date;
  provider: Payouts;
  account: SettlementAccount;
  timeoutMs: number;
  /** False once it is time to stop: what is left is the next round's. Nothing is begun over again by that. */
  hasTime: () => boolean;
}

/** Which payouts a provider is asked for, by the time they are dated. */
export interface Span {
  from: Date;
  to: Date;
}

/** How a round ended. */
export interface Round {
  isDone: boolean;
  /** What the provider did not answer; null: it answered everything. */
  error: ProviderError | null;
}

/**
 * Reconciles one connection: reads the provider's payouts of a time with their lines, settles charges, weighs every payout against our
 * books, and forecasts what is still to come. Every step is a phase that may be done again: run twice, at once with another, or killed at
 * any point, it comes to the same.
 */
export async function reconcile(desk: PayoutDesk, span: Span): Promise<Round> {
  while ((await planCaptures(desk.db, desk.account)) > 0 && desk.hasTime());
  const read = await readPayouts(desk, span).catch((error: unknown) => {
    if (error instanceof ProviderError) return { isDone: false, error };
    throw error;
  });
  await rematch(desk);
  await weighAll(desk);
  if (paysOut(desk.account)) {
    await inPhase(desk, (phase) => forecast(phase, desk.account));
    await inPhase(desk, (phase) => findMissing(phase, desk.account, read.isDone));
  }
  return read;
}

function inPhase({ atomically }: PayoutDesk, work: (phase: Parameters<Parameters<Atomically>[0]>[0]) => Promise<void>): Promise<void> {
  return atomically(async (phase) => {
    await work(phase);
    return [];
  });
}

/** A provider that goes on for longer than this has lost count of its pages. */
const MOST_PAGES = 1_000;

async function readPayouts(desk: PayoutDesk, { from, to }: Span): Promise<Round> {
  let cursor: string | null = null;
  let pages = 0;
  do {
    if (++pages > MOST_PAGES) throw new ProviderError('unknown', 'settlements', `the list has more than ${MOST_PAGES} pages`);
    const page = await desk.provider.listSettlements({ from, to, cursor }, { timeoutMs: desk.timeoutMs });
    for (const stated of page.rows) await record(desk, stated);
    cursor = page.next;
  } while (cursor !== null && desk.hasTime());
  if (!(await readAllLines(desk)) || cursor !== null) return { isDone: false, error: null };
  return { isDone: termsOf(desk.account).listsSettlements || (await lookForOthers(desk)), error: null };
}

function record(desk: PayoutDesk, stated: ProviderSettlement): Promise<void> {
  return inPhase(desk, (phase) => recordStatement(phase, desk.account, stated));
}

/** Settlements whose lines are to be read. At most a few, unless nobody has looked for long. */
const MOST_SETTLEMENTS = 200;

/** True when all lines of all settlements are read. */
async function readAllLines(desk: PayoutDesk): Promise<boolean> {
  const settlements = await desk.db.query<ReadSettlement>(
    `select id, provider_settlement_id, landed_at, lines_cursor, lines_read_at from settlements
     where connection_id = $1 and weighed_at is null and not is_forecast and lines_read_at is null and stated_state = 'landed'
     order by id limit ${MOST_SETTLEMENTS}`,
    [desk.account.id],
  );
  for (const settlement of settlements) if (!(await readLines(desk, settlement))) return false;
  return settlements.length < MOST_SETTLEMENTS;
}

/** Reads on from the page that was read last, be it by a process that is no more. Whoever else reads at once is joined where they are. */
async function readLines(desk: PayoutDesk, settlement: ReadSettlement): Promise<boolean> {
  let place: Place = settlement;
  while (place.lines_read_at === null) {
    if (!desk.hasTime()) return false;
    const query = { providerSettlementId: settlement.provider_settlement_id, cursor: place.lines_cursor };
    const page = await desk.provider.listLines(query, { timeoutMs: desk.timeoutMs });
    await recordPage(desk, settlement, page.rows);
    place = await turnPage(desk, settlement.id, place, page.next);
  }
  return true;
}

type Place = Pick<ReadSettlement, 'lines_cursor' | 'lines_read_at'>;

/** Writes how far was read, unless somebody else got further meanwhile. Returns where to go on. */
async function turnPage(desk: PayoutDesk, id: string, { lines_cursor: cursor }: Place, next: string | null): Promise<Place> {
  await inPhase(desk, async (phase) => {
    await phase.sql.query(
      `update settlements set lines_cursor = $3, lines_read_at = $4
       where id = $1 and lines_cursor is not distinct from $2 and lines_read_at is null`,
      [id, cursor, next, next === null ? phase.now : null],
    );
    await dropStaleLines(phase, id);
  });
  const [place] = await desk.db.query<Place>('select lines_cursor, lines_read_at from settlements where id = $1', [id]);
  return place!;
}

/** As many lines as one phase takes: their charges are locked for it. */
const LINES_AT_ONCE = 100;

async function recordPage(
  { atomically, account }: PayoutDesk,
  settlement: ReadSettlement,
  lines: readonly SettlementLine[],
): Promise<void> {
  for (let first = 0; first < lines.length; first += LINES_AT_ONCE) {
    await atomically((phase) => recordLines(phase, account, settlement, lines.slice(first, first + LINES_AT_ONCE)));
  }
}

/** Payments asked about in one round. */
const MOST_ASKED = 20;

/**
 * Where a provider has no list of its payouts and its word of one was lost: asks which payout holds a payment that should have been paid
 * out. One payment of each day stands for the others; another one every time, for the first may truly be in none.
 */
async function lookForOthers(desk: PayoutDesk): Promise<boolean> {
  const now = desk.clock();
  const payments = await desk.db.query<{ id: string; provider_payment_id: string }>(
    `select distinct on (settles_on) id, provider_payment_id from captures
     where connection_id = $1 and settlement_id is null and settles_on < $2 order by settles_on desc, md5(id || $3) limit ${MOST_ASKED}`,
    [desk.account.id, lagosDay(now), now.toISOString()],
  );
  for (const { id, provider_payment_id: paymentId } of payments) {
    if (!desk.hasTime()) return false;
    const [paidOut] = await desk.db.query('select 1 from captures where id = $1 and settlement_id is not null', [id]);
    const stated = paidOut ? undefined : await desk.provider.settlementOf(paymentId, { timeoutMs: desk.timeoutMs });
    if (!stated) continue;
    await record(desk, stated);
    if (!(await readAllLines(desk))) return false;
  }
  return true;
}

/** Lines looked at again in one round. */
const MOST_REMATCHED = 500;

/** Lines of payments that nobody had told us of when they were read: by now they may be on record. */
async function rematch({ db, atomically, account }: PayoutDesk): Promise<void> {
  const open = await db.query<SettlementLine & { settlementId: string; landed_at: Date | null }>(
    `select l.settlement_id as "settlementId", s.landed_at, l.provider_payment_id as "providerPaymentId", l.reference,
       l.amount_kobo as "amountKobo", l.fee_kobo as "feeKobo"
     from settlement_lines l join settlements s on s.id = l.settlement_id where l.connection_id = $1 and l.is_open and s.lines_read_at is not null
     order by l.id desc limit ${MOST_REMATCHED}`,
    [account.id],
  );
  for (const [id, lines] of Map.groupBy(open, ({ settlementId }) => settlementId)) {
    await atomically((phase) => recordLines(phase, account, { id, landed_at: lines[0]!.landed_at }, lines));
  }
}

/** Settlements that differ and are weighed again in one round: our books may hold by now what they did not. */
const MOST_WEIGHED = 100;

async function weighAll({ db, atomically, account, hasTime }: PayoutDesk): Promise<void> {
  const due = await db.query<{ id: string }>(
    `select id from settlements where connection_id = $1 and weighed_at is null and not is_forecast
       and (lines_read_at is not null or stated_state = 'failed')
     union (select distinct settlement_id from discrepancies
       where connection_id = $1 and status = 'open' and settlement_id is not null order by settlement_id desc limit ${MOST_WEIGHED})`,
    [account.id],
  );
  for (const { id } of due) {
    if (!hasTime()) return;
    await atomically((phase) => weighSettlement(phase, account, id));
  }
}
