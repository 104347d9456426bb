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
 * One transaction, few statements. Returns those left out: the charge is locked by others, or a
 * fact before is about the same charge or payment. Where one fails all do, and the caller records
 * them one by one.
 */
export async function recordTogether(tx: Tx, facts: readonly NewFact[]): Promise<NewFact[]> {
  const reported = facts.map(({ attemptId, fact }) => reportedBy(attemptId, fact));
  const locked = await lockUnlocked(tx, reported);
  const seen = new Set<string>();
  const leftOut: NewFact[] = [];
  for (const [n, one] of facts.entries()) {
    const charge = locked[n];
    const about = [charge?.charge.id ?? '', ...reported[n]!.paymentIds];
    if (!charge || about.some((id) => seen.has(id))) {
      leftOut.push(one);
      continue;
    }
    for (const id of about) seen.add(id);
    await recordLocked(tx, one.attemptId, one.fact, charge);
    await one.alsoWrite?.(tx);
  }
  return leftOut;
}
