import type { Tx } from '../../shared/tx.ts';
import type { AttemptFact } from '../attempt/decide.ts';
import { lockUnlocked } from './locked-charge.ts';
import { recordLocked, reportedBy } from './record-attempt.ts';

/** A fact about an attempt that is to be recorded. */
export interface NewFact {
  attemptId: string;
  fact: AttemptFact;
  /** What is committed with it. */
  alsoWrite?: ((tx: Tx) => Promise<void>) | undefined;
}

/** Records a fact, in a transaction that it may share with others. Throws where it cannot. */
export type RecordFact = (fact: NewFact) => Promise<void>;

/**
 * Records facts about attempts in one transaction, with few statements for all of them. Leaves out
 * those whose charge is locked by somebody else, and all but the first of one charge, and returns
 * these. Where one fact fails, all do: whoever calls it records them one by one then.
 */
export async function recordTogether(tx: Tx, facts: readonly NewFact[]): Promise<NewFact[]> {
  const reported = facts.map(({ attemptId, fact }) => reportedBy(attemptId, fact));
  const locked = await lockUnlocked(tx, reported);
  const recorded = new Set<string>();
  const leftOut: NewFact[] = [];
  for (const [n, one] of facts.entries()) {
    const charge = locked[n];
    if (!charge || recorded.has(charge.charge.id)) {
      leftOut.push(one);
      continue;
    }
    recorded.add(charge.charge.id);
    await recordLocked(tx, one.attemptId, one.fact, charge);
    await one.alsoWrite?.(tx);
  }
  return leftOut;
}
