import type { Job } from '../jobs.ts';
import type { Atomically } from '../phase.ts';
import { type Provider, ProviderError, type Verification } from '../providers/provider.ts';
import { recordAttempt } from './record.ts';

/**
 * Asks an attempt's provider what became of it and records the answer. Returns the answer, or what went wrong when there was none:
 * silence changes nothing.
 */
export async function askAttempt(
  { atomically, provider, clock }: { atomically: Atomically; provider: Provider; clock: () => Date },
  attempt: { id: string; reference: string },
  timeoutMs: number,
): Promise<Verification | ProviderError> {
  const askedAt = clock();
  const verification = await provider.verify(attempt.reference, { timeoutMs }).catch((error: unknown) => {
    if (error instanceof ProviderError) return error;
    throw error;
  });
  if (verification instanceof ProviderError) return verification;
  await atomically((phase): Promise<Job[]> => recordAttempt(phase, attempt.id, { type: 'verified', verification, askedAt }));
  return verification;
}
