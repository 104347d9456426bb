import {
  isDeferral,
  onlyProviderError,
  type ProviderError,
} from '../../providers/port/provider-error.ts';
import type { Page, SettlementLine } from '../../providers/port/settlement.ts';
import { statement } from '../../shared/sql.ts';
import type { Tx } from '../../shared/tx.ts';
import type { RunResult, SettlementContext } from './context.ts';
import { deleteLines, type LandedSettlement } from './match-lines.ts';
import { recordStretch } from './record-stretch.ts';
import type { SettlementRow } from './row.ts';
import { readAgainAt } from './schedule.ts';
import { stepTransitions } from './transitions.ts';
import { recordFailedRead } from './unreadable.ts';

export type ReadResult = Pick<RunResult, 'isDone' | 'error'>;

/** Any other error is thrown. */
export async function catchProviderError(read: () => Promise<ReadResult>): Promise<ReadResult> {
  try {
    return await read();
  } catch (error) {
    return { isDone: false, error: onlyProviderError(error) };
  }
}

type Position = Pick<SettlementRow, 'step' | 'statement_version' | 'lines_cursor' | 'failed_reads'>;

type ReadableSettlement = LandedSettlement & Position & { provider_settlement_id: string };

const MAX_SETTLEMENTS = 200;

/** Done when all are read that can be. One without an answer does not delay the others. */
export async function readAllLines(context: SettlementContext): Promise<ReadResult> {
  const settlements = await context.db.query<ReadableSettlement>(
    `select id, provider_settlement_id, landed_at, step, statement_version, lines_cursor,
       failed_reads
     from settlements where connection_id = $1 and step = 'read_lines'
     order by id limit ${MAX_SETTLEMENTS}`,
    [context.account.id],
  );
  let failure: ProviderError | null = null;
  for (const settlement of settlements) {
    const { isDone, error } = await catchProviderError(() => readLines(context, settlement));
    if (isDone) continue;
    if (!error || isDeferral(error)) return { isDone, error: error ?? failure };
    if (!(await recordFailedRead(context, settlement, error))) failure ??= error;
  }
  return { isDone: failure === null && settlements.length < MAX_SETTLEMENTS, error: failure };
}

/** From the last recorded stretch, whoever recorded it. */
async function readLines(
  context: SettlementContext,
  settlement: ReadableSettlement,
): Promise<ReadResult> {
  const { id, landed_at, provider_settlement_id: providerSettlementId } = settlement;
  const readStretch = readingAhead(context, providerSettlementId);
  let position: Position = settlement;
  while (position.step === 'read_lines') {
    if (!context.hasTime()) return { isDone: false, error: null };
    const { statement_version } = position;
    const stretch = await readStretch(position);
    await recordStretch(context, { id, landed_at, statement_version }, stretch.rows);
    position = await advancePosition(context, id, position, stretch.next);
    if (stretch.failure) throw stretch.failure;
  }
  return { isDone: true, error: null };
}

interface Stretch extends Page<SettlementLine> {
  failure?: ProviderError;
}

/** Reads the next stretch while one is recorded. */
function readingAhead(
  context: SettlementContext,
  providerSettlementId: string,
): (position: Position) => Promise<Stretch> {
  let ahead: { from: string; stretch: Promise<Stretch> } | undefined;
  const key = (position: Position, cursor: string | null) =>
    `${position.statement_version} ${cursor}`;
  const read = (cursor: string | null) => readPages(context, providerSettlementId, cursor);
  return async (position) => {
    const cursor = position.lines_cursor;
    const isAhead = ahead?.from === key(position, cursor);
    const stretch = await (isAhead ? ahead!.stretch : read(cursor));
    ahead = undefined;
    if (stretch.next === null || stretch.failure || !context.hasTime()) return stretch;
    ahead = { from: key(position, stretch.next), stretch: read(stretch.next) };
    ahead.stretch.catch(() => {}); // whoever waits for it gets the error
    return stretch;
  };
}

/** Recorded together. */
const LINES_PER_STRETCH = 2_000;

async function readPages(
  { provider, timeoutMs, hasTime }: SettlementContext,
  providerSettlementId: string,
  from: string | null,
): Promise<Stretch> {
  const read = (cursor: string | null) =>
    provider.listLines({ providerSettlementId, cursor }, { timeoutMs });
  const { rows, next } = await read(from);
  const stretch: Stretch = { rows: [...rows], next };
  while (stretch.next !== null && stretch.rows.length < LINES_PER_STRETCH && hasTime()) {
    try {
      const page = await read(stretch.next);
      stretch.rows.push(...page.rows);
      stretch.next = page.next;
    } catch (error) {
      return { ...stretch, failure: onlyProviderError(error) };
    }
  }
  return stretch;
}

/** Unless another reader came further or the statement changed. Returns where to read on. */
async function advancePosition(
  context: SettlementContext,
  id: string,
  { lines_cursor: cursor, statement_version: version, failed_reads: failedReads }: Position,
  next: string | null,
): Promise<Position> {
  await context.inTx(async (tx) => {
    if (next !== null) {
      await readOn(tx.sql, { id, cursor, version, next });
      return;
    }
    const unclear = await unclearLine(tx, id, version);
    const { 'lines read': read, 'line unclear': later } = stepTransitions.read_lines;
    const ended = await endReading(tx.sql, {
      ...{ id, cursor, version, unclear, step: unclear === null ? read : later },
      failedReads: unclear === null ? 0 : failedReads + 1,
      readAgainAt: readAgainAt(tx.now, failedReads + 1),
    });
    if (ended.length > 0) await deleteLines(tx, id, 'stale');
  });
  const [position] = await context.db.query<Position>(
    'select step, statement_version, lines_cursor, failed_reads from settlements where id = $1',
    [id],
  );
  return position!;
}

const IS_AT = `id = :id and lines_cursor is not distinct from :cursor and step = 'read_lines'
  and statement_version = :version`;

const readOn = statement(`update settlements set lines_cursor = :next where ${IS_AT}`);

const endReading = statement(`
  update settlements set lines_cursor = null, step = :step, unreadable_reason = :unclear,
    failed_reads = :failedReads, read_again_at = :readAgainAt
  where ${IS_AT} returning 1`);

/** Null: all are clear. */
async function unclearLine({ sql }: Tx, id: string, version: number): Promise<string | null> {
  const [line] = await sql.query<{ reference: string; unclear: string }>(
    `select reference, unclear from settlement_lines
     where settlement_id = $1 and statement_version = $2 and unclear is not null
     order by id limit 1`,
    [id, version],
  );
  return line ? `payment ${line.reference}: ${line.unclear}` : null;
}
