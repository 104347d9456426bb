/**
 * What can differ between our books and a payout, or a provider's list of payments.
 * - `amount_mismatch`: a line states another amount than was paid, or pays out what was paid out before.
 * - `fee_mismatch`: a line's fee is not the one the provider stated when the payment was made.
 * - `deduction_mismatch`: more was taken out than refunds and chargebacks we know of.
 * - `missing`: a payment is in no payout, longer after it than its provider takes.
 * - `short`: less reached the bank than the payout's own lines and deductions add up to; `surplus`: more did.
 * - `never_notified`: a payment under a reference of ours that we had not heard of.
 * - `unknown_at_provider`: a payment of ours that its provider does not know any more.
 */
export const discrepancyKinds = [
  'amount_mismatch',
  'fee_mismatch',
  'deduction_mismatch',
  'missing',
  'short',
  'surplus',
  'never_notified',
  'unknown_at_provider',
] as const;
export type DiscrepancyKind = (typeof discrepancyKinds)[number];

export const discrepancyStatuses = ['open', 'resolved', 'closed'] as const;
export type DiscrepancyStatus = (typeof discrepancyStatuses)[number];

/** `vanished`: it does not differ any more. `closed`: a person accepts it as it is, and says why. */
export type DiscrepancyFact = 'vanished' | 'closed';

/**
 * Where each fact takes a discrepancy. One that a person closed is resolved all the same once it does not differ any more. What comes back
 * after it vanished, or changes after it was closed, is a new one.
 */
export const discrepancyTransitions: Record<
  DiscrepancyStatus,
  Partial<Record<DiscrepancyFact, DiscrepancyStatus>>
> = {
  open: { vanished: 'resolved', closed: 'closed' },
  resolved: {},
  closed: { vanished: 'resolved' },
};

/** The statuses this fact changes. */
export function statusesBefore(fact: DiscrepancyFact): DiscrepancyStatus[] {
  return discrepancyStatuses.filter((status) => discrepancyTransitions[status][fact] !== undefined);
}

/** Why a person cannot close a discrepancy of this status; undefined where they can. */
export function whyNotClosed(status: DiscrepancyStatus): string | undefined {
  return discrepancyTransitions[status].closed === undefined ? refusals[status] : undefined;
}

const refusals: Record<DiscrepancyStatus, string | undefined> = {
  open: undefined,
  resolved:
    'This discrepancy is resolved: it does not differ any more, and there is nothing left to close.',
  closed: 'This discrepancy is closed already, with the reason it shows.',
};
