import { recordAttempt } from '../domain/payments/record-attempt.ts';
import {
  type NewFact,
  type RecordFact,
  recordTogether,
} from '../domain/payments/record-together.ts';
import type { InTx } from '../domain/shared/tx.ts';
import { createBatcher } from './batcher.ts';

/** So many share a transaction, and hold its locks. */
const MAX_TOGETHER = 50;

/**
 * Records facts about attempts: those that come while a transaction is under way share the next
 * one. A fact that cannot be recorded fails alone, and one whose charge is locked by somebody else
 * holds up no other.
 */
export function createFactRecorder(inTx: InTx): RecordFact {
  const recordAlone = ({ attemptId, fact, alsoWrite }: NewFact) =>
    inTx(async (tx) => {
      const jobs = await recordAttempt(tx, attemptId, fact);
      await alsoWrite?.(tx);
      return jobs;
    });
  const together = createBatcher(async (facts: readonly NewFact[]) => {
    const rest = new Set(facts.length === 1 ? facts : await recordAll(inTx, facts));
    // In an object, because the next transaction does not wait for those that are alone.
    return facts.map((fact) => ({ recorded: rest.has(fact) ? recordAlone(fact) : undefined }));
  }, MAX_TOGETHER);
  return async (fact) => (await together.load(fact)).recorded;
}

/** Returns the facts that were not recorded. */
async function recordAll(inTx: InTx, facts: readonly NewFact[]): Promise<readonly NewFact[]> {
  let rest = facts;
  const recording = inTx(async (tx) => {
    const { jobs, leftOut } = await recordTogether(tx, facts);
    rest = leftOut;
    return jobs;
  });
  return recording.then(
    () => rest,
    () => facts,
  );
}
