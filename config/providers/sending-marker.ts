import { markSending, type SendingAttempt } from '../../domain/payments/attempt/store.ts';
import type { Sql } from '../../domain/shared/sql.ts';
import { GATHER_MS } from '../batcher.ts';
import { groupCalls } from '../grouped-calls.ts';

/** False where the attempt must not be sent before `untilAt`. */
export type MarkSending = (attempt: SendingAttempt, untilAt: Date) => Promise<boolean>;

type Sending = { attempt: SendingAttempt; untilAt: Date };

/** Marks together attempts of one moment; one whose charge is locked alone, delaying no other. */
export function createSendingMarker(db: Sql, clock: () => Date, gatherMs = GATHER_MS): MarkSending {
  const mark = (sending: readonly Sending[], waits: boolean) =>
    markSending(
      db,
      sending.map(({ attempt }) => attempt),
      {
        now: clock(),
        untilAt: new Date(Math.max(...sending.map(({ untilAt }) => untilAt.getTime()))),
        waits,
      },
    );
  const markGrouped = groupCalls({
    together: async (sending: readonly Sending[]) => {
      const marked = await mark(sending, false);
      const done = sending.filter(({ attempt }) => marked.has(attempt.id));
      return new Map(done.map((one) => [one, true]));
    },
    alone: async (sending) => (await mark([sending], true)).size > 0,
    options: { gatherMs },
  });
  return (attempt, untilAt) => markGrouped({ attempt, untilAt });
}
