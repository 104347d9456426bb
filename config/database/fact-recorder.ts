import { recordAttempt } from '../../domain/payments/facts/record-attempt.ts';
import {
  type NewFact,
  type RecordFact,
  recordTogether,
} from '../../domain/payments/facts/record-together.ts';
import type { InTx } from '../../domain/shared/tx.ts';
import { GATHER_MS } from '../batcher.ts';
import { groupCalls } from '../grouped-calls.ts';

/** So many share a transaction, and hold its locks. */
const MAX_TOGETHER = 50;
/** A transaction that waits for a lock delays those who come later by no more. */
const MAX_WAIT_MS = 250;

/**
 * Records facts about attempts: those that come while a transaction is under way share the next
 * one. A fact that cannot be recorded fails alone, and one whose charge is locked by somebody else
 * holds up no other. `gatherMs` is as in a batcher.
 */
export function createFactRecorder(inTx: InTx, gatherMs = GATHER_MS): RecordFact {
  return groupCalls({
    together: (facts: readonly NewFact[]) => recordAll(inTx, facts),
    alone: ({ attemptId, fact, alsoWrite }) =>
      inTx(async (tx) => {
        await recordAttempt(tx, attemptId, fact);
        await alsoWrite?.(tx);
      }),
    didNothing: () => true,
    options: { maxBatchSize: MAX_TOGETHER, maxWaitMs: MAX_WAIT_MS, gatherMs },
  });
}

/** Returns the facts that were recorded. */
async function recordAll(inTx: InTx, facts: readonly NewFact[]): Promise<Map<NewFact, void>> {
  const leftOut = await inTx((tx) => recordTogether(tx, facts));
  const recorded = facts.filter((fact) => !leftOut.includes(fact));
  return new Map(recorded.map((fact) => [fact, undefined]));
}
