import type { Sql } from '../../domain/shared/sql.ts';
import type { Logger } from '../logger.ts';

/** Tells the time of day by the clock of the database, which all processes share. */
export interface DatabaseClock extends Disposable {
  now: () => Date;
  /** By how much the database is ahead of this machine, in ms; 0 where they are near enough. */
  offsetMs: () => number;
  /** Compares both clocks now. */
  ask: () => Promise<void>;
}

export const ASKS_EVERY_MS = 10_000;
const ASKS_AGAIN_MS = 1_000;
/** Leases and verifications bear two seconds; a clock that is corrected by less only jumps. */
const TOLERATED_MS = 500;

/**
 * Rows that one process makes due are claimed by another, and a notification that one dates is held
 * against a verification that another began: a machine whose clock is wrong would let two workers
 * claim one row, and take a reversal for known. The process follows the machine's clock, corrected
 * by how far it is from the database's.
 */
export async function openDatabaseClock(
  sql: Sql,
  log: Logger,
  machineMs: () => number = Date.now,
): Promise<DatabaseClock> {
  let offsetMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function ask(): Promise<void> {
    const startedMs = performance.now();
    const [{ at }] = (await sql.query(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as at',
    )) as [{ at: number }];
    const tookMs = performance.now() - startedMs;
    // An answer that waited says no more than this of when it was given.
    if (tookMs > 2 * TOLERATED_MS) return;
    const aheadMs = Math.round(at + tookMs / 2 - machineMs());
    if (Math.abs(aheadMs - offsetMs) <= TOLERATED_MS) return;
    offsetMs = Math.abs(aheadMs) <= TOLERATED_MS ? 0 : aheadMs;
    if (offsetMs === 0) log.info('clock agrees with the database again');
    else
      log.warn('clock differs from the database', {
        offset_ms: offsetMs,
        action: 'Set the clocks of both machines by NTP; the database’s counts until then.',
      });
  }
  const askAgain = async () => {
    const waitMs = await ask().then(
      () => ASKS_EVERY_MS,
      () => ASKS_AGAIN_MS,
    );
    if (!isClosed) timer = setTimeout(askAgain, waitMs).unref();
  };
  await askAgain();
  return {
    now: () => new Date(machineMs() + offsetMs),
    offsetMs: () => offsetMs,
    ask,
    [Symbol.dispose]() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
