import type { ChargeRow } from '../charge/row.ts';
import { appendTimeline } from '../charge/timeline.ts';
import type { Job } from '../jobs.ts';
import type { Phase } from '../phase.ts';
import { usableConnections } from './connections.ts';
import { isOver } from './expire.ts';
import type { AttemptRow } from './row.ts';
import { nextReplacementAt } from './schedule.ts';

/**
 * Takes a payment that was never sent from a connection that rests to the next one that does not, of a charge that may choose. Nothing
 * was refused: the connection passed over may be used again. Returns the bell of what moved, nothing where it has to wait.
 */
export async function passOver(
  phase: Phase,
  attempt: Pick<AttemptRow, 'id' | 'charge_id' | 'connection_id' | 'slot' | 'tries' | 'spared'>,
  resting: readonly string[],
): Promise<Job[]> {
  const { sql, now } = phase;
  const [charge] = await sql.query<ChargeRow>('select * from charges where id = $1 for update', [attempt.charge_id]);
  if (charge!.provider_wanted !== 'auto' || isOver(charge!, now)) return [];
  const usable = await usableConnections(sql, attempt.charge_id);
  const next = usable.find(({ id }) => id !== attempt.connection_id && !resting.includes(id));
  if (!next) return [];
  const dueAt = nextReplacementAt(attempt.tries - attempt.spared, now);
  // Whoever may have sent it since holds it by another number of tries, or has marked it.
  const moved = await sql.query(
    `update attempts set connection_id = $3, slot = $4, due_at = $5
     where id = $1 and tries = $2 and status = 'sending' and sent_at is null returning 1`,
    [attempt.id, attempt.tries, next.id, next.slot, dueAt],
  );
  if (moved.length === 0) return [];
  const detail = `Nothing was sent to ${attempt.slot}, which rests after failures; the payment is made at ${next.slot}.`;
  await appendTimeline(phase, charge!, [{ what: 'attempt.passed_over', detail, attemptId: attempt.id }]);
  return [{ queue: 'charge-create', id: attempt.id, tries: attempt.tries, dueAt }];
}
