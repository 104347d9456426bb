import { ProviderError } from '../../domain/providers/port/provider-error.ts';
import type { CallTarget, Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';

type Observers = { metrics: Pick<Metrics, 'recordProviderCall'>; tracing: Pick<Tracing, 'inSpan'> };

export function observeCall<Answer>(
  { metrics, tracing }: Observers,
  target: CallTarget,
  operation: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const { provider, mode } = target;
  const span = { name: `${provider} ${operation}`, isCall: true, attributes: { provider, mode } };
  return tracing.inSpan(span, async (attributes) => {
    const startedMs = performance.now();
    const record = (outcome: string) => {
      attributes.outcome = outcome;
      const durationMs = performance.now() - startedMs;
      metrics.recordProviderCall({ provider, mode, operation, outcome, durationMs });
    };
    try {
      const answer = await ask();
      record('answered');
      return answer;
    } catch (error) {
      record(outcomeOf(error));
      throw error;
    }
  });
}

/** `unavailable` and `over_budget` were not sent. */
function outcomeOf(error: unknown): string {
  if (!(error instanceof ProviderError)) return 'error';
  return error.isOverBudget ? 'over_budget' : error.kind;
}
