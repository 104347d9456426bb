import { recordAttempt } from '../../domain/payments/facts/record-attempt.ts';
import {
  type NewFact,
  type RecordFact,
  recordTogether,
} from '../../domain/payments/facts/record-together.ts';
import type { InTx } from '../../domain/shared/tx.ts';
import { GATHER_MS } from '../batcher.ts';
import { groupCalls } from '../grouped-calls.ts';

const MAX_TOGETHER = 50;
const MAX_WAIT_MS = 250;

/**
 * Records together the facts that come while a transaction is under way. A fact that cannot be
 * recorded fails alone; one whose charge is locked holds up no other.
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

async function recordAll(inTx: InTx, facts: readonly NewFact[]): Promise<Map<NewFact, void>> {
  const leftOut = await inTx((tx) => recordTogether(tx, facts));
  const recorded = facts.filter((fact) => !leftOut.includes(fact));
  return new Map(recorded.map((fact) => [fact, undefined]));
}
