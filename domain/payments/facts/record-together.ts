import type { Tx } from '../../shared/tx.ts';
import type { AttemptFact } from '../attempt/decide.ts';
import { lockUnlocked } from './locked-charge.ts';
import { recordLocked, reportedBy } from './record-attempt.ts';

export interface NewFact {
  attemptId: string;
  fact: AttemptFact;
  alsoWrite?: ((tx: Tx) => Promise<void>) | undefined;
}

/** The transaction may be shared. Throws where it cannot. */
export type RecordFact = (fact: NewFact) => Promise<void>;

/**
 * One transaction, few statements. Returns those left out: the charge is locked by others, or had a
 * fact already. Where one fails all do, and the caller records them one by one.
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
