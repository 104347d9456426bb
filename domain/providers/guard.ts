import type { Breaker, BreakerRules, Health } from './breaker.ts';
import type { CallKind } from './budget.ts';
import { type CallOptions, type Provider, ProviderError } from './provider.ts';
import type { CredentialHealth } from './refused-credentials.ts';

export interface Guards {
  breakerOf(): Breaker;
  rules: Pick<BreakerRules, 'minimumTimeoutMs' | 'slowPercent'>;
  /** Takes one call from the connection's budget. Throws `limited` when it is used up. */
  spend(kind: CallKind, stage: string): Promise<void>;
  credentials: CredentialHealth;
}

/**
 * The provider behind its budget and breaker: a call beyond the budget fails as `limited`; a call
 * while the breaker is open, or a read soon after the credentials were refused, as `unavailable`.
 * None of them is sent.
 */
export function guard(
  provider: Provider,
  { breakerOf, rules, spend, credentials }: Guards,
): Provider {
  const through =
    <Asked, Answer>(
      kind: CallKind,
      stage: string,
      call: (asked: Asked, options: CallOptions) => Promise<Answer>,
    ) =>
    async (asked: Asked, options: CallOptions): Promise<Answer> => {
      const openError = () =>
        new ProviderError('unavailable', stage, 'nothing was sent: the circuit breaker is open');
      if (breakerOf().isOpen()) throw openError();
      if (kind === 'verify' || kind === 'look up') refuseReads(stage);
      await spend(kind, stage);
      const isShort = options.timeoutMs < rules.minimumTimeoutMs;
      const slowMs = (options.timeoutMs * rules.slowPercent) / 100;
      const healthOf = (error: unknown, tookMs: number) => {
        const health = error === undefined ? 'answered' : healthFrom(error, isShort);
        return health === 'answered' && tookMs > slowMs && !isShort ? 'slow' : health;
      };
      return breakerOf().run(() => noting(call(asked, options)), healthOf, openError);
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
    listRefunds: through('look up', 'refunds', provider.listRefunds.bind(provider)),
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
        : noting(provider.checkCredentials(options)),
    readNotification: (headers, body) => provider.readNotification(headers, body),
  };
}

/**
 * A healthy provider also refuses, reports duplicates and limits calls. Any other error is our own.
 */
function healthFrom(error: unknown, isShort: boolean): Health {
  if (!(error instanceof ProviderError)) return null;
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
