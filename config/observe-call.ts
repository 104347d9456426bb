import { ProviderError } from '../domain/providers/provider.ts';
import type { CallTarget, Metrics } from './metrics.ts';

/** Asks a provider, and records how long it took and how it ended. */
export async function observeCall<Answer>(
  { recordProviderCall }: Pick<Metrics, 'recordProviderCall'>,
  target: CallTarget,
  operation: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const startedMs = performance.now();
  const record = (outcome: string) =>
    recordProviderCall({
      ...target,
      operation,
      outcome,
      durationMs: performance.now() - startedMs,
    });
  try {
    const answer = await ask();
    record('answered');
    return answer;
  } catch (error) {
    record(outcomeOf(error));
    throw error;
  }
}

/** `unavailable` and `over_budget` were not sent. */
function outcomeOf(error: unknown): string {
  if (!(error instanceof ProviderError)) return 'error';
  return error.isOverBudget ? 'over_budget' : error.kind;
}
