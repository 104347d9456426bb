import { nextRetryAt } from '../../shared/retry.ts';
import type { Tx } from '../../shared/tx.ts';
import { MINUTE_MS } from '../../shared/units.ts';
import { type CallableConnection, usableConnections } from '../attempt/connections.ts';
import type { AttemptRow } from '../attempt/row.ts';
import { nextReplacementAt } from '../attempt/schedule.ts';
import { moveToConnection } from '../attempt/store.ts';
import { isOver } from '../charge/ending.ts';
import { lockCharge } from '../charge/store.ts';
import { appendTimeline } from '../timeline/timeline.ts';

/** In each case surely nothing was sent. */
export type SkipReason = 'breaker open' | 'calls limited' | 'not reached';

/**
 * An attempt that never failed at its new connection is not woken when that one answers again, and
 * its payer may still wait: after an outage of all providers no longer than this.
 */
const LONGEST_WAIT_MS = MINUTE_MS;

type QueuedAttempt = Pick<
  AttemptRow,
  'id' | 'charge_id' | 'connection_id' | 'slot' | 'tries' | 'snoozes'
>;

/**
 * Moves an unsent attempt of an `auto` charge to a connection that is not skipped. False: it
 * cannot.
 */
export async function switchConnection(
  tx: Tx,
  attempt: QueuedAttempt,
  isSkipped: (connection: CallableConnection) => boolean,
  why: SkipReason,
): Promise<boolean> {
  const { sql, now } = tx;
  const charge = await lockCharge(tx, attempt.charge_id);
  if (charge.provider_wanted !== 'auto' || isOver(charge, now)) return false;
  const usable = await usableConnections(sql, charge.id);
  const { words, candidates, dueAt: dueAtOf } = rules[why];
  const next = candidates(usable, attempt).find(
    (connection) => connection.id !== attempt.connection_id && !isSkipped(connection),
  );
  if (!next) return false;
  const wantedAt = dueAtOf(attempt.tries - attempt.snoozes, usable, now);
  const dueAt = new Date(Math.min(wantedAt.getTime(), now.getTime() + LONGEST_WAIT_MS));
  const to = { connectionId: next.id, slot: next.slot, dueAt };
  if (!(await moveToConnection(sql, attempt, to))) return false;
  const detail = `Nothing was sent to ${attempt.slot}, ${words}; the payment is made at ${next.slot}.`;
  await appendTimeline(tx, charge, [
    { what: 'attempt.passed_over', detail, attemptId: attempt.id },
  ]);
  tx.enqueue({ queue: 'charge-create', id: attempt.id, group: next.id, dueAt });
  return true;
}

interface Rules {
  words: string;
  candidates(usable: CallableConnection[], attempt: QueuedAttempt): CallableConnection[];
  /** `tries`: over all connections. */
  dueAt(tries: number, usable: CallableConnection[], now: Date): Date;
}

const inTurn: Omit<Rules, 'words'> = {
  // Starting over at the first one, the last would never be tried.
  candidates: (usable, attempt) => {
    const turn = usable.findIndex(({ id }) => id === attempt.connection_id) + 1;
    return [...usable.slice(turn), ...usable.slice(0, turn)];
  },
  // The payer waits, so each connection is tried without a wait before any is tried again.
  dueAt: (tries, usable, now) => (tries < usable.length ? now : nextRetryAt(tries, now)),
};

const rules: Record<SkipReason, Rules> = {
  'breaker open': {
    words: 'whose calls have failed',
    // In the order of the connections, as for a new charge.
    candidates: (usable) => usable,
    dueAt: (tries, _usable, now) => nextReplacementAt(tries, now),
  },
  'calls limited': { words: 'which takes no more calls for now', ...inTurn },
  'not reached': { words: 'which could not be reached', ...inTurn },
};
