import {
  type BreakerRules,
  breakerRules,
  createBreaker,
  type Outcomes,
} from '../../../../domain/providers/guard/breaker.ts';
import { guard } from '../../../../domain/providers/guard/guard.ts';
import { trackCredentials } from '../../../../domain/providers/guard/refused-credentials.ts';
import type { CallKind } from '../../../../domain/providers/port/budget.ts';
import type { CallOptions, Provider } from '../../../../domain/providers/port/provider.ts';
import { until } from '../../../support/until.ts';

export const options = { timeoutMs: 8_000 };
export const forLong = { ...breakerRules, minimumCalls: 4, openMs: 3_600_000 };
export const forShort = { ...forLong, openMs: 1 };

type Call = (asked: unknown, given: CallOptions) => Promise<unknown>;

export const names = [
  ...(['create', 'verify', 'refund', 'findRefund', 'listRefunds', 'listDisputes'] as const),
  ...(['listSettlements', 'listLines', 'findSettlement', 'listPayments'] as const),
];

/** For a suite: a guarded provider whose answers the test chooses, and the calls it got. */
export function useGuardedProvider() {
  const open: Disposable[] = [];
  afterEach(() => {
    for (const breaker of open.splice(0)) breaker[Symbol.dispose]();
  });

  return function fixture(rules: BreakerRules = forLong) {
    const at = {
      now: async (_again: () => Promise<void>): Promise<unknown> => ({}),
      budget: async (): Promise<void> => {},
      seenByAll: undefined as Outcomes | undefined,
      recoveries: 0,
      reasons: [] as string[],
    };
    const breaker = createBreaker(
      rules,
      () => performance.now(),
      () => void at.recoveries++,
      async () => at.seenByAll,
      (reason) => void at.reasons.push(reason),
    );
    open.push(breaker);
    const reached: string[] = [];
    const spent: CallKind[] = [];
    const call =
      (name: string) =>
      async (...asked: unknown[]) => {
        const oneCall = async () => (asked.at(-1) as CallOptions).spend?.(name);
        await oneCall();
        reached.push(name);
        return at.now(oneCall);
      };
    const bare = Object.fromEntries(
      [...names, 'checkCredentials'].map((name) => [name, call(name)]),
    ) as unknown as Provider;
    const spend = async (kind: CallKind) => {
      await at.budget();
      spent.push(kind);
    };
    const known = { wereRefused: false, onChange: () => {} };
    const credentials = trackCredentials(() => new Date(0), known);
    const paused: [CallKind, number][] = [];
    const provider = guard(bare, {
      ...{ breakerOf: () => breaker, rules, spend, credentials },
      pause: (kind, forMs) => void paused.push([kind, forMs]),
      observe: (_operation, ask) => ask(),
    });
    const ask = (timeoutMs = options.timeoutMs) =>
      provider.verify('SV-1', { timeoutMs }).catch((error: unknown) => error);
    const askTimes = async (times: number, error?: () => Error) => {
      at.now = async () => {
        if (error) throw error();
        return {};
      };
      for (let asked = 0; asked < times; asked++) await ask();
    };
    /** Makes one call of each name; each resolves to its answer or error. */
    const askEach = (asked: readonly (typeof names)[number][]) =>
      Promise.all(
        asked.map((name) => (provider[name] as Call)({}, options).catch((error: unknown) => error)),
      );
    return { breaker, provider, reached, spent, paused, at, ask, askTimes, askEach };
  };
}

export type GuardedProvider = ReturnType<ReturnType<typeof useGuardedProvider>>;

export const halfOpen = ({ breaker }: GuardedProvider) =>
  until('the breaker to be half-open', async () => !breaker.isOpen());
