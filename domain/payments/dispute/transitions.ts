export const disputeStatuses = ['open', 'won', 'lost'] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

/**
 * Where a dispute goes when its provider, or an operator, says how it stands. A pair that is absent changes nothing: what was decided
 * stays decided, and an old word that comes late is no news.
 */
export const disputeTransitions: Record<
  DisputeStatus,
  Partial<Record<DisputeStatus, DisputeStatus>>
> = {
  open: { won: 'won', lost: 'lost' },
  won: {},
  lost: {},
};

export interface DisputeDecision {
  /** The statuses passed through, the last one final; empty when nothing is new. */
  moves: DisputeStatus[];
  /** True when it was decided otherwise before: that stays, and a person looks. */
  contradicts: boolean;
}

/** What it means that a dispute is said to stand so. `known` is how we hold it; undefined: we hear of it for the first time. */
export function decideDispute(
  known: DisputeStatus | undefined,
  told: DisputeStatus,
): DisputeDecision {
  if (known === undefined)
    return { moves: told === 'open' ? ['open'] : ['open', told], contradicts: false }; // it began, unseen
  const to = disputeTransitions[known][told];
  return {
    moves: to ? [to] : [],
    contradicts: to === undefined && told !== 'open' && told !== known,
  };
}
