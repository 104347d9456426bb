import type { Breaker, BreakerRules, Health } from './breaker.ts';
import { type CallOptions, type Provider, ProviderError } from './provider.ts';

/** What a call is, as far as budgets care: the first two move money, the others ask about it. */
export type CallKind = 'create' | 'refund' | 'verify' | 'look up';

export interface Guard {
  breakerOf(): Breaker;
  rules: Pick<BreakerRules, 'leastPatienceMs'>;
  /** Takes one call out of the connection's budget. Throws `limited` when there is none left. */
  spend(kind: CallKind, stage: string): Promise<void>;
}

/**
 * The provider with outward care: what its connection's budget has no room for ends as `limited`, and while the connection rests as
 * `unavailable`. Neither is ever an answer, and neither was sent.
 */
export function guarded(provider: Provider, guard: Guard): Provider {
  const through =
    <Asked, Answer>(
      kind: CallKind,
      stage: string,
      call: (asked: Asked, options: CallOptions) => Promise<Answer>,
    ) =>
    async (asked: Asked, options: CallOptions): Promise<Answer> => {
      const rested = () =>
        new ProviderError(
          'unavailable',
          stage,
          'nothing was sent: the connection rests after failures',
        );
      if (guard.breakerOf().isResting()) throw rested();
      await guard.spend(kind, stage);
      const healthOf = (error: unknown) =>
        healthFrom(error, options.timeoutMs < guard.rules.leastPatienceMs);
      return guard.breakerOf().run(() => call(asked, options), healthOf, rested);
    };

  const tryCredentials = through('look up', 'check', (_: undefined, options) =>
    provider.checkCredentials(options),
  );

  return {
    rejectsDuplicates: provider.rejectsDuplicates,
    refundsOnce: provider.refundsOnce,
    create: through('create', 'create', provider.create.bind(provider)),
    verify: through('verify', 'verify', provider.verify.bind(provider)),
    refund: through('refund', 'refund', provider.refund.bind(provider)),
    findRefund: through('look up', 'refund', provider.findRefund.bind(provider)),
    listRefunds: through('look up', 'refunds', provider.listRefunds.bind(provider)),
    listDisputes: through('look up', 'disputes', provider.listDisputes.bind(provider)),
    listSettlements: through('look up', 'settlements', provider.listSettlements.bind(provider)),
    listLines: through('look up', 'settlement lines', provider.listLines.bind(provider)),
    settlementOf: through('look up', 'settlement', provider.settlementOf.bind(provider)),
    readSettlement: (body) => provider.readSettlement(body),
    listPayments: through('look up', 'payments', provider.listPayments.bind(provider)),
    // A person asks once and waits for the answer, whatever the connection's health. It harms nothing, so it makes a good trial too.
    checkCredentials: (options) =>
      guard.breakerOf().isOnTrial()
        ? tryCredentials(undefined, options)
        : provider.checkCredentials(options),
    readNotification: (headers, body) => provider.readNotification(headers, body),
  };
}

/** A refusal, a duplicate and a limit are answers of a provider in good health. What is no `ProviderError` is our own mistake. */
function healthFrom(error: unknown, wasImpatient: boolean): Health {
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
      return wasImpatient && isTimeOut(error) ? null : 'failed';
  }
}

function isTimeOut({ cause }: ProviderError): boolean {
  return cause instanceof DOMException && cause.name === 'TimeoutError';
}
