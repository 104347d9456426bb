import type { CallKind } from '../domain/providers/guarded.ts';
import type { RateLimit } from './rate-limits.ts';

/** How many calls a minute one connection may make. What the provider counts apart has a pot of its own, the rest shares one. */
export interface Budget {
  perMinute: number;
  apart?: Partial<Record<CallKind, number>>;
}

/** By adapter and mode; `sandbox` for connections that call the sandbox. */
export type Budgets = Record<string, Partial<Record<string, Budget>>>;

/** Neither Flutterwave nor Monnify publishes a figure: as many as Paystack gives a live account, and a 429 is heeded at once. */
const unpublished: Partial<Record<string, Budget>> = {
  live: { perMinute: 600 },
  test: { perMinute: 300 },
};

export const budgets: Budgets = {
  /** https://paystack.com/docs/api/rate-limits/: for each account, live and test apart. */
  paystack: {
    live: { perMinute: 600, apart: { create: 1_200, verify: 3_000 } },
    test: { perMinute: 100 },
  },
  flutterwave: unpublished,
  monnify: unpublished,
  /** Ours: it takes what the machine does. */
  sandbox: { test: { perMinute: 60_000 } },
};

/** Of a shared pot, questions may take this part at most: so there is always room to make a payment, or to send money back. */
const QUESTIONS_PART = 0.7;

/** What may not be exceeded, by its name. */
export type Pots = Record<string, RateLimit>;

/** A call takes from each of these pots. */
export function potsOf(owner: string, { perMinute, apart = {} }: Budget, kind: CallKind): Pots {
  const own = apart[kind];
  if (own !== undefined) return { [`${owner}.${kind}`]: pot(own) };
  const shared = { [`${owner}.all`]: pot(perMinute) };
  return kind === 'verify' || kind === 'look up'
    ? { [`${owner}.questions`]: pot(perMinute * QUESTIONS_PART), ...shared }
    : shared;
}

function pot(points: number): RateLimit {
  return { points: Math.max(1, Math.floor(points)), windowMs: 60_000 };
}
