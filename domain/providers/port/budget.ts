/** How providers count a call. A login before it and every page of a list are of the same kind. */
export type CallKind = 'create' | 'refund' | 'verify' | 'look up';

/**
 * How many HTTP calls a minute one connection may make. Kinds of call that the provider counts
 * separately have a limit of their own; the others share one.
 */
export interface Budget {
  perMinute: number;
  separate?: Partial<Record<CallKind, number>>;
}

/** For providers that publish no limit: what Paystack grants a live account. */
export const unpublishedBudgets: Record<'live' | 'test', Budget> = {
  live: { perMinute: 600 },
  test: { perMinute: 300 },
};

/**
 * Who causes a call. `send`: a payment or refund of the merchant's, and whoever changes a
 * connection. `public`: a payment of a charge that anybody may create, with a public key or on the
 * page of a payment link. `notification`: what a provider reported, or lists as paid. `merchant`: a
 * read of a charge. `list`: a page of payments, which saves many checks. `payer`: whoever opens a
 * checkout. `check`: everything else that workers look up by themselves.
 */
export type Priority = 'send' | 'public' | 'notification' | 'merchant' | 'list' | 'payer' | 'check';

interface Share {
  upTo: number;
  /** Such calls alone use at most this share: strangers cannot spend a merchant's budget. */
  alone?: number;
}

/** What is above a share is the reserve of those that may use more. */
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
  /** The call is refused once this share of the points is used. */
  share: number;
}

export function counterOf({ separate = {} }: Budget, kind: CallKind): CallKind | 'all' {
  return separate[kind] === undefined ? 'all' : kind;
}

export function limitsFor(
  owner: string,
  budget: Budget,
  kind: CallKind,
  priority: Priority,
): CallLimit[] {
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
