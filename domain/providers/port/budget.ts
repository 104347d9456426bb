/** A login and every page of a list count as their question. */
export type CallKind = 'create' | 'refund' | 'respond' | 'verify' | 'look up';

/** HTTP calls of one connection. */
export interface Budget {
  perMinute: number;
  separate?: Partial<Record<CallKind, number>>;
}

/** What Paystack grants a live account. */
export const unpublishedBudgets: Record<'live' | 'test', Budget> = {
  live: { perMinute: 600 },
  test: { perMinute: 300 },
};

/**
 * Who causes a call. `send`: the merchant, or who changes a connection. `public`: anybody, with a
 * public key or a payment link. `notification`: what a provider reported or lists as paid. `list`:
 * a page of payments, which saves many checks. `payer`: who opens a checkout. `check`: workers by
 * themselves.
 */
export type Priority = 'send' | 'public' | 'notification' | 'merchant' | 'list' | 'payer' | 'check';

interface Share {
  upTo: number;
  /** Strangers cannot spend a merchant's budget. */
  alone?: number;
}

const shares: Record<Priority, Share> = {
  send: { upTo: 1 },
  notification: { upTo: 0.9 },
  public: { upTo: 0.8, alone: 0.4 },
  merchant: { upTo: 0.7 },
  list: { upTo: 0.65 },
  payer: { upTo: 0.6, alone: 0.2 },
  check: { upTo: 0.5 },
};

export interface CallLimit {
  name: string;
  points: number;
  windowMs: number;
  share: number;
}

export function counterOf({ separate = {} }: Budget, kind: CallKind): CallKind | 'all' {
  return separate[kind] === undefined ? 'all' : kind;
}

export function limitsFor(owner: string, budget: Budget, kind: CallKind, priority: Priority) {
  const counter = counterOf(budget, kind);
  const perMinute = budget.separate?.[kind] ?? budget.perMinute;
  const { upTo, alone } = shares[priority];
  const name = `${owner}.${counter}`;
  const all = limit(name, perMinute, upTo);
  return alone === undefined ? [all] : [limit(`${name}.${priority}`, perMinute * alone, 1), all];
}

function limit(name: string, perMinute: number, share: number): CallLimit {
  return { name, points: Math.max(1, Math.floor(perMinute)), windowMs: 60_000, share };
}
