import { isDeferral, ProviderError } from '../../providers/provider.ts';
import type { Page, SettlementLine } from '../../providers/settlements.ts';
import { inTxWithoutJobs, type RunResult, type SettlementContext } from './context.ts';
import { deleteStaleLines, type LandedSettlement, recordLines } from './match-lines.ts';
import type { SettlementRow } from './row.ts';
import { type SettlementStep, stepTransitions } from './transitions.ts';

export type ReadResult = Pick<RunResult, 'isDone' | 'error'>;

/** What the provider does not answer ends the reading; every other error is thrown. */
export async function catchProviderError(read: () => Promise<ReadResult>): Promise<ReadResult> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ProviderError) return { isDone: false, error };
    throw error;
  }
}

/** Where the lines of a settlement are read on from. */
type Position = Pick<SettlementRow, 'step' | 'statement_version' | 'lines_cursor'>;

type ReadableSettlement = LandedSettlement & Position & { provider_settlement_id: string };

/** Settlements whose lines one run reads. Few are due, unless nothing ran for long. */
const MAX_SETTLEMENTS = 200;

/**
 * Reads the lines of every settlement that is due. Done when all lines of all of them are read. One
 * whose lines cannot be read does not delay the others.
 */
export async function readAllLines(context: SettlementContext): Promise<ReadResult> {
  const settlements = await context.db.query<ReadableSettlement>(
    `select id, provider_settlement_id, landed_at, step, statement_version, lines_cursor
     from settlements where connection_id = $1 and step = 'read_lines'
     order by id limit ${MAX_SETTLEMENTS}`,
    [context.account.id],
  );
  let failure: ProviderError | null = null;
  for (const settlement of settlements) {
    const { isDone, error } = await catchProviderError(() => readLines(context, settlement));
    if (!isDone && (!error || isDeferral(error))) return { isDone, error: error ?? failure };
    failure ??= error;
  }
  return { isDone: failure === null && settlements.length < MAX_SETTLEMENTS, error: failure };
}

/**
 * Reads on from the last page that was recorded, also by a process that has died. Concurrent
 * readers share their progress.
 */
async function readLines(
  context: SettlementContext,
  settlement: ReadableSettlement,
): Promise<ReadResult> {
  const { id, landed_at, provider_settlement_id: providerSettlementId } = settlement;
  const readPage = readingAhead(context, providerSettlementId);
  let position: Position = settlement;
  while (position.step === 'read_lines') {
    if (!context.hasTime()) return { isDone: false, error: null };
    const { statement_version } = position;
    const page = await readPage(position);
    await recordPage(context, { id, landed_at, statement_version }, page.rows);
    position = await advancePosition(context, id, position, page.next);
  }
  return { isDone: true, error: null };
}

type LinesPage = Page<SettlementLine>;

/** Reads the page of a position, and the next one while that page is recorded. */
function readingAhead(
  { provider, timeoutMs, hasTime }: SettlementContext,
  providerSettlementId: string,
): (position: Position) => Promise<LinesPage> {
  let ahead: { from: string; page: Promise<LinesPage> } | undefined;
  const key = (position: Position, cursor: string | null) =>
    `${position.statement_version} ${cursor}`;
  const read = (cursor: string | null) =>
    provider.listLines({ providerSettlementId, cursor }, { timeoutMs });
  return async (position) => {
    const cursor = position.lines_cursor;
    const isAhead = ahead?.from === key(position, cursor);
    const page = await (isAhead ? ahead!.page : read(cursor));
    ahead = undefined;
    if (page.next === null || !hasTime()) return page;
    ahead = { from: key(position, page.next), page: read(page.next) };
    ahead.page.catch(() => {}); // whoever waits for it gets the error
    return page;
  };
}

/** Lines that one transaction records: their charges are locked for its duration. */
const LINES_PER_TX = 100;
/** Transactions at once: one works in the database while the other one is decided here. */
const LANES = 2;

/** A page may name a payment twice: the later line stands. */
async function recordPage(
  { inTx, account }: SettlementContext,
  settlement: LandedSettlement,
  page: readonly SettlementLine[],
): Promise<void> {
  const lines = [...new Map(page.map((line) => [line.providerPaymentId, line])).values()];
  const parts = Array.from({ length: Math.ceil(lines.length / LINES_PER_TX) }, (_, n) =>
    lines.slice(n * LINES_PER_TX, (n + 1) * LINES_PER_TX),
  ).values();
  const recordNext = async () => {
    for (const part of parts) await inTx((tx) => recordLines(tx, account, settlement, part));
  };
  await Promise.all(Array.from({ length: LANES }, recordNext));
}

/**
 * Writes how far the lines were read, unless another reader came further meanwhile or the statement
 * changed. Returns where to read on.
 */
async function advancePosition(
  context: SettlementContext,
  id: string,
  { lines_cursor: cursor, statement_version: version }: Position,
  next: string | null,
): Promise<Position> {
  const step: SettlementStep =
    next === null ? stepTransitions.read_lines['lines read'] : 'read_lines';
  await inTxWithoutJobs(context, async (tx) => {
    const advanced = await tx.sql.query(
      `update settlements set lines_cursor = $3, step = $4
       where id = $1 and lines_cursor is not distinct from $2 and step = 'read_lines'
         and statement_version = $5 returning 1`,
      [id, cursor, next, step, version],
    );
    if (advanced.length > 0 && next === null) await deleteStaleLines(tx, id);
  });
  const [position] = await context.db.query<Position>(
    'select step, statement_version, lines_cursor from settlements where id = $1',
    [id],
  );
  return position!;
}
