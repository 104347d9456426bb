/** The kind of a call, as far as budgets care: the first two move money, the others read. */
export type CallKind = 'create' | 'refund' | 'verify' | 'look up';

/**
 * How many calls a minute one connection may make. Kinds of call that the provider counts
 * separately have a limit of their own; the others share one.
 */
export interface Budget {
  perMinute: number;
  separate?: Partial<Record<CallKind, number>>;
}

export interface CallLimit {
  points: number;
  windowMs: number;
}

/**
 * For providers that publish no limit: what Paystack grants a live account. A 429 is respected
 * anyway.
 */
export const unpublishedBudgets: Record<'live' | 'test', Budget> = {
  live: { perMinute: 600 },
  test: { perMinute: 300 },
};

/** Reads may use at most this share of a common limit, so creates and refunds always have room. */
const READ_SHARE = 0.7;

/** The limits that one call counts against, by name. */
export function limitsFor(
  owner: string,
  { perMinute, separate = {} }: Budget,
  kind: CallKind,
): Record<string, CallLimit> {
  const own = separate[kind];
  if (own !== undefined) return { [`${owner}.${kind}`]: perMinuteLimit(own) };
  const common = { [`${owner}.all`]: perMinuteLimit(perMinute) };
  return kind === 'verify' || kind === 'look up'
    ? { [`${owner}.reads`]: perMinuteLimit(perMinute * READ_SHARE), ...common }
    : common;
}

function perMinuteLimit(points: number): CallLimit {
  return { points: Math.max(1, Math.floor(points)), windowMs: 60_000 };
}
