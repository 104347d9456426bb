import type { CallKind } from '../port/budget.ts';
import type { PaymentOrder } from '../port/payment.ts';
import type { CallOptions, Provider } from '../port/provider.ts';
import { ProviderError } from '../port/provider-error.ts';
import { type Question, questionNames, questions } from '../port/questions.ts';
import type { Breaker, BreakerRules, Health } from './breaker.ts';
import type { CredentialHealth } from './refused-credentials.ts';

export interface Guards {
  breakerOf(): Breaker;
  rules: Pick<BreakerRules, 'minimumTimeoutMs' | 'slowPercent'>;
  spend(kind: CallKind, stage: string): Promise<void>;
  pause(kind: CallKind, forMs: number): void;
  credentials: CredentialHealth;
  observe<Answer>(operation: string, ask: () => Promise<Answer>): Promise<Answer>;
}

type Ask = (asked: unknown, options: CallOptions) => Promise<unknown>;

/**
 * Every HTTP call counts; beyond the budget it fails as `limited`. Behind an open breaker, and for
 * reads with refused credentials, it fails as `unavailable`. None of these is sent.
 */
export function guard(provider: Provider, guards: Guards): Provider {
  const { breakerOf, observe } = guards;
  const check: Ask = (_, options) => provider.checkCredentials(options);
  const observed = (name: Question, ask: Ask): Ask => {
    const { kind, stage } = questions[name];
    const subject = stage.replace(/^(find|list) /, '');
    const operation = kind === 'look up' ? `look up ${subject}` : stage;
    return (asked, options) => observe(operation.replaceAll(' ', '_'), () => ask(asked, options));
  };
  const guarded = questionNames.map((name) => {
    const ask =
      name === 'checkCredentials' ? check : (provider[name]?.bind(provider) as Ask | undefined);
    return [name, ask ? observed(name, behindBreaker(guards, name, ask)) : null] as const;
  });
  const asked = Object.fromEntries(guarded);
  const unguardedCheck = observed('checkCredentials', counted(guards, 'look up', check));
  return {
    ...(asked as unknown as Provider),
    capabilities: provider.capabilities,
    // A person waits for the answer, so an open breaker does not stop the call. A half-open breaker
    // learns from it.
    async checkCredentials(options) {
      const isProbe = breakerOf().isHalfOpen();
      await (isProbe ? asked.checkCredentials! : unguardedCheck)(undefined, options);
    },
    readSettlement: (body) => provider.readSettlement(body),
    readNotification: (headers, body) => provider.readNotification(headers, body),
  };
}

function behindBreaker(guards: Guards, name: Question, ask: Ask): Ask {
  const { breakerOf, rules, credentials } = guards;
  const { kind, stage } = questions[name];
  const unavailable = (why: string, retryAfterMs: number | null = null) =>
    new ProviderError('unavailable', stage, `nothing was sent: ${why}`, { retryAfterMs });
  const openError = () => unavailable('the circuit breaker is open');
  return async (asked, options) => {
    if (breakerOf().isOpen()) throw openError();
    const isRead = kind === 'verify' || kind === 'look up';
    const waitMs = isRead ? credentials.waitMs() : null;
    if (waitMs !== null) throw unavailable('the provider does not accept the credentials', waitMs);
    const { timeoutMs, totalMs = timeoutMs } = options;
    const isShort = Math.min(timeoutMs, totalMs) < rules.minimumTimeoutMs;
    const slowMs = (timeoutMs * rules.slowPercent) / 100;
    let calls = 0;
    const healthOf = (error: unknown, tookMs: number) => {
      if (isTestScenario(asked)) return null;
      const health = error === undefined ? 'answered' : healthFrom(error, isShort);
      const isSlow = tookMs / Math.max(1, calls) > slowMs;
      return health === 'answered' && isSlow && !isShort ? 'slow' : health;
    };
    const spend: Guards['spend'] = (...spent) => {
      calls += 1;
      return guards.spend(...spent);
    };
    const send = counted({ ...guards, spend }, kind, ask);
    return breakerOf().run(() => send(asked, options), healthOf, openError);
  };
}

/** A failure that a developer asked for says nothing of the provider, which others use. */
function isTestScenario(asked: unknown): boolean {
  const { testScenario = null } = Object(asked) as Partial<PaymentOrder>;
  return testScenario !== null;
}

function counted(guards: Omit<Guards, 'observe'>, kind: CallKind, ask: Ask): Ask {
  const { spend, pause, credentials } = guards;
  return async (asked, options) => {
    try {
      const answer = await ask(asked, { ...options, spend: (stage) => spend(kind, stage) });
      credentials.accepted();
      return answer;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const { refusesCredentials, isOverBudget, retryAfterMs } = error;
      if (refusesCredentials) credentials.refused();
      if (error.kind === 'limited' && !isOverBudget && retryAfterMs !== null)
        pause(kind, retryAfterMs);
      throw error;
    }
  };
}

/** A healthy provider also refuses, reports duplicates and limits. Other errors are our own. */
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
