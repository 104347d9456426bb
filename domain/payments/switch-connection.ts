import type { Job } from '../jobs.ts';
import { nextRetryAt } from '../shared/retry.ts';
import type { Tx } from '../shared/tx.ts';
import { type UsableConnection, usableConnections } from './attempt/connections.ts';
import type { AttemptRow } from './attempt/row.ts';
import { nextReplacementAt } from './attempt/schedule.ts';
import { moveToConnection } from './attempt/store.ts';
import { isOver } from './charge/ending.ts';
import { lockCharge } from './charge/store.ts';
import { appendTimeline } from './timeline/timeline.ts';

/**
 * Why a connection is skipped: its breaker is open, or it could not be reached, so that surely
 * nothing was sent.
 */
export type SkipReason = 'breaker open' | 'not reached';

type QueuedAttempt = Pick<
  AttemptRow,
  'id' | 'charge_id' | 'connection_id' | 'slot' | 'tries' | 'snoozes'
>;

/**
 * Moves an attempt that was never sent to another connection whose breaker is not open, where its
 * charge asked for provider `auto`. The skipped connection refused nothing and may be used again.
 * Returns the attempt's job; none where it cannot move.
 */
export async function switchConnection(
  tx: Tx,
  attempt: QueuedAttempt,
  openBreakers: readonly string[],
  why: SkipReason = 'breaker open',
): Promise<Job[]> {
  const { sql, now } = tx;
  const charge = await lockCharge(tx, attempt.charge_id);
  if (charge.provider_wanted !== 'auto' || isOver(charge, now)) return [];
  const usable = await usableConnections(sql, charge.id);
  const { words, candidates, dueAt: dueAtOf } = rules[why];
  const next = candidates(usable, attempt).find(
    ({ id }) => id !== attempt.connection_id && !openBreakers.includes(id),
  );
  if (!next) return [];
  const dueAt = dueAtOf(attempt.tries - attempt.snoozes, usable, now);
  const to = { connectionId: next.id, slot: next.slot, dueAt };
  if (!(await moveToConnection(sql, attempt, to))) return [];
  const detail = `Nothing was sent to ${attempt.slot}, ${words}; the payment is made at ${next.slot}.`;
  await appendTimeline(tx, charge, [
    { what: 'attempt.passed_over', detail, attemptId: attempt.id },
  ]);
  const { id, tries } = attempt;
  return [{ queue: 'charge-create', id, tries, group: next.id, dueAt }];
}

interface Rules {
  words: string;
  candidates(usable: UsableConnection[], attempt: QueuedAttempt): UsableConnection[];
  /** `tries` of the payment so far, over all connections. */
  dueAt(tries: number, usable: UsableConnection[], now: Date): Date;
}

const rules: Record<SkipReason, Rules> = {
  'breaker open': {
    words: 'whose calls have failed',
    // In the order of the connections, as for a new charge.
    candidates: (usable) => usable,
    dueAt: (tries, _usable, now) => nextReplacementAt(tries, now),
  },
  'not reached': {
    words: 'which could not be reached',
    // Each in turn: starting over at the first one, the last would never be tried.
    candidates: (usable, attempt) => {
      const turn = usable.findIndex(({ id }) => id === attempt.connection_id) + 1;
      return [...usable.slice(turn), ...usable.slice(0, turn)];
    },
    // The payer waits, so each connection is tried without a wait before any is tried again.
    dueAt: (tries, usable, now) => (tries < usable.length ? now : nextRetryAt(tries, now)),
  },
};
