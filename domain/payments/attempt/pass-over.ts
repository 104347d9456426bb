import type { Job } from '../../jobs.ts';
import type { Tx } from '../../shared/tx.ts';
import type { ChargeRow } from '../charge/row.ts';
import { appendTimeline } from '../timeline/timeline.ts';
import { type UsableConnection, usableConnections } from './connections.ts';
import { isOver } from './expire.ts';
import type { AttemptRow } from './row.ts';
import { nextReplacementAt, nextRetryAt } from './schedule.ts';

/** Why a connection is passed over: it rests after failures, or it surely got nothing, for it could not be reached. */
export type PassedOver = 'rests' | 'away';

type Waiting = Pick<
  AttemptRow,
  'id' | 'charge_id' | 'connection_id' | 'slot' | 'tries' | 'snoozes'
>;

/**
 * Takes a payment that was never sent to another connection that does not rest, of a charge that may choose. Nothing was refused: the
 * connection passed over may be used again. Returns the job of what moved, nothing where it has to wait.
 */
export async function passOver(
  tx: Tx,
  attempt: Waiting,
  resting: readonly string[],
  why: PassedOver = 'rests',
): Promise<Job[]> {
  const { sql, now } = tx;
  const [charge] = await sql.query<ChargeRow>('select * from charges where id = $1 for update', [
    attempt.charge_id,
  ]);
  if (charge!.provider_wanted !== 'auto' || isOver(charge!, now)) return [];
  const usable = await usableConnections(sql, attempt.charge_id);
  const { words, candidates, dueAt: dueAtOf } = rules[why];
  const next = candidates(usable, attempt).find(
    ({ id }) => id !== attempt.connection_id && !resting.includes(id),
  );
  if (!next) return [];
  const dueAt = dueAtOf(attempt.tries - attempt.snoozes, usable, now);
  // Whoever may have sent it since holds it by another number of tries, or has marked it.
  const moved = await sql.query(
    `update attempts set connection_id = $3, slot = $4, due_at = $5
     where id = $1 and tries = $2 and status = 'sending' and sent_at is null returning 1`,
    [attempt.id, attempt.tries, next.id, next.slot, dueAt],
  );
  if (moved.length === 0) return [];
  const detail = `Nothing was sent to ${attempt.slot}, which ${words}; the payment is made at ${next.slot}.`;
  await appendTimeline(tx, charge!, [
    { what: 'attempt.passed_over', detail, attemptId: attempt.id },
  ]);
  return [{ queue: 'charge-create', id: attempt.id, tries: attempt.tries, dueAt }];
}

interface Rules {
  words: string;
  candidates(usable: UsableConnection[], attempt: Waiting): UsableConnection[];
  /** `tries` of the payment so far, over all connections. */
  dueAt(tries: number, usable: UsableConnection[], now: Date): Date;
}

const rules: Record<PassedOver, Rules> = {
  rests: {
    words: 'rests after failures',
    // Whatever does not rest may be well, so the first comes first.
    candidates: (usable) => usable,
    dueAt: (tries, _usable, now) => nextReplacementAt(tries, now),
  },
  away: {
    words: 'could not be reached',
    // Each has its turn: going back to the first, the last would never have one.
    candidates: (usable, attempt) => {
      const turn = usable.findIndex(({ id }) => id === attempt.connection_id) + 1;
      return [...usable.slice(turn), ...usable.slice(0, turn)];
    },
    // The payer waits, so every one is tried at once before any is tried again.
    dueAt: (tries, usable, now) => (tries < usable.length ? now : nextRetryAt(tries, now)),
  },
};
