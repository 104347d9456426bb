import type { Breaker, BreakerRules, Health } from './breaker.ts';
import type { CallKind } from './budget.ts';
import type { CallOptions, Provider } from './provider.ts';
import { ProviderError } from './provider-error.ts';
import type { CredentialHealth } from './refused-credentials.ts';

export interface Guards {
  breakerOf(): Breaker;
  rules: Pick<BreakerRules, 'minimumTimeoutMs' | 'slowPercent'>;
  /** Takes one HTTP call from the connection's budget. Throws `limited` when it is used up. */
  spend(kind: CallKind, stage: string): Promise<void>;
  /** The provider takes no more calls of this kind for so long. */
  pause(kind: CallKind, forMs: number): void;
  credentials: CredentialHealth;
  /** Observes a question to the provider, also one that is not sent. */
  observe<Answer>(operation: string, ask: () => Promise<Answer>): Promise<Answer>;
}

/**
 * The provider behind its budget and breaker. Every HTTP call counts; one beyond the budget is not
 * sent and fails as `limited`. While the breaker is open, and for reads soon after the credentials
 * were refused, nothing is sent either, and the call fails as `unavailable`.
 */
export function guard(
  provider: Provider,
  { breakerOf, rules, credentials, observe, ...guards }: Guards,
): Provider {
  const guarded =
    <Asked, Answer>(kind: CallKind, stage: string, call: Ask<Asked, Answer>) =>
    async (asked: Asked, options: CallOptions): Promise<Answer> => {
      const openError = () =>
        new ProviderError('unavailable', stage, 'nothing was sent: the circuit breaker is open');
      if (breakerOf().isOpen()) throw openError();
      if (kind === 'verify' || kind === 'look up') refuseReads(stage);
      const { timeoutMs, totalMs = timeoutMs } = options;
      const isShort = Math.min(timeoutMs, totalMs) < rules.minimumTimeoutMs;
      const slowMs = (timeoutMs * rules.slowPercent) / 100;
      let calls = 0;
      const healthOf = (error: unknown, tookMs: number) => {
        const health = error === undefined ? 'answered' : healthFrom(error, isShort);
        const isSlow = tookMs / Math.max(1, calls) > slowMs;
        return health === 'answered' && isSlow && !isShort ? 'slow' : health;
      };
      const spend: Guards['spend'] = (...spent) => {
        calls += 1;
        return guards.spend(...spent);
      };
      const { pause } = guards;
      const send = () =>
        noting(countCalls({ spend, pause }, kind, options, (counted) => call(asked, counted)));
      return breakerOf().run(send, healthOf, openError);
    };
  const through = <Asked, Answer>(kind: CallKind, stage: string, call: Ask<Asked, Answer>) => {
    const ask = guarded(kind, stage, call);
    const operation = operationOf(kind, stage);
    return (asked: Asked, options: CallOptions) => observe(operation, () => ask(asked, options));
  };
  const refuseReads = (stage: string) => {
    const retryAfterMs = credentials.waitMs();
    if (retryAfterMs === null) return;
    const message = 'nothing was sent: the provider does not accept the credentials';
    throw new ProviderError('unavailable', stage, message, { retryAfterMs });
  };
  const noting = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    try {
      const given = await answer;
      credentials.accepted();
      return given;
    } catch (error) {
      if (error instanceof ProviderError && error.refusesCredentials) credentials.refused();
      throw error;
    }
  };

  const checkThrough = through('look up', 'check', (_: undefined, options) =>
    provider.checkCredentials(options),
  );

  return {
    capabilities: provider.capabilities,
    create: through('create', 'create', provider.create.bind(provider)),
    verify: through('verify', 'verify', provider.verify.bind(provider)),
    refund: through('refund', 'refund', provider.refund.bind(provider)),
    findRefund: through('look up', 'refund', provider.findRefund.bind(provider)),
    listRefunds:
      provider.listRefunds && through('look up', 'refunds', provider.listRefunds.bind(provider)),
    listAccountRefunds:
      provider.listAccountRefunds &&
      through('look up', 'refunds', provider.listAccountRefunds.bind(provider)),
    listDisputes: through('look up', 'disputes', provider.listDisputes.bind(provider)),
    listSettlements: through('look up', 'settlements', provider.listSettlements.bind(provider)),
    listLines: through('look up', 'settlement lines', provider.listLines.bind(provider)),
    findSettlement: through('look up', 'settlement', provider.findSettlement.bind(provider)),
    readSettlement: (body) => provider.readSettlement(body),
    listPayments: through('look up', 'payments', provider.listPayments.bind(provider)),
    // A person waits for the answer, so an open breaker does not stop the call. A half-open breaker
    // learns from it.
    checkCredentials: (options) =>
      breakerOf().isHalfOpen()
        ? checkThrough(undefined, options)
        : observe(operationOf('look up', 'check'), () =>
            noting(
              countCalls(guards, 'look up', options, (counted) =>
                provider.checkCredentials(counted),
              ),
            ),
          ),
    readNotification: (headers, body) => provider.readNotification(headers, body),
  };
}

type Ask<Asked, Answer> = (asked: Asked, options: CallOptions) => Promise<Answer>;

/** The name of a question in figures and traces. */
function operationOf(kind: CallKind, stage: string): string {
  return (kind === 'look up' ? `look up ${stage}` : stage).replaceAll(' ', '_');
}

/**
 * Counts every HTTP call of one question, and remembers that the provider takes no more for now.
 */
async function countCalls<Answer>(
  { spend, pause }: Pick<Guards, 'spend' | 'pause'>,
  kind: CallKind,
  options: CallOptions,
  call: (counted: CallOptions) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call({ ...options, spend: (stage) => spend(kind, stage) });
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'limited' && !error.isOverBudget)
      if (error.retryAfterMs !== null) pause(kind, error.retryAfterMs);
    throw error;
  }
}

/**
 * A healthy provider also refuses, reports duplicates and limits calls. Any other error is our own,
 * as is a budget that is used up.
 */
function healthFrom(error: unknown, isShort: boolean): Health {
  if (!(error instanceof ProviderError) || error.isOverBudget) return null;
  switch (error.kind) {
    case 'refused':
    case 'duplicate':
    case 'limited':
      return 'answered';
    case 'unavailable':
      return null;
    case 'retryable':
    case 'unknown':
      return isShort && isTimeout(error) ? null : 'failed';
  }
}

function isTimeout({ cause }: ProviderError): boolean {
  return cause instanceof DOMException && cause.name === 'TimeoutError';
}
