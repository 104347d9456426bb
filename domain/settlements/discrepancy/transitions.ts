/**
 * What can differ between our records and a settlement, or a provider's list of payments.
 * - `amount_mismatch`: a line states another amount than was paid, or pays a payment out again.
 * - `fee_mismatch`: a line's fee is not the one the provider stated when the payment was made.
 * - `deduction_mismatch`: more was taken out than the refunds and chargebacks on record.
 * - `missing`: a payment is in no settlement, later than its provider takes.
 * - `short`: less reached the bank than the settlement's own lines and deductions add up to.
 * - `surplus`: more reached the bank than they add up to.
 * - `never_notified`: a payment under one of our references that is not on record.
 * - `unknown_at_provider`: a payment on record that its provider does not know any more.
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

/** `vanished`: it does not differ any more. `closed`: a person accepts it and gives the reason. */
export type DiscrepancyFact = 'vanished' | 'closed';

/**
 * Where each fact takes a discrepancy. A closed one is resolved too once it does not differ any
 * more. What comes back after it vanished, or changes after it was closed, is a new one.
 */
export const discrepancyTransitions = {
  open: { vanished: 'resolved', closed: 'closed' },
  resolved: {},
  closed: { vanished: 'resolved' },
} as const satisfies Record<DiscrepancyStatus, Partial<Record<DiscrepancyFact, DiscrepancyStatus>>>;

type Transitions = typeof discrepancyTransitions;

/** The statuses that a fact changes. */
type StatusBefore<Fact extends DiscrepancyFact> = {
  [Status in DiscrepancyStatus]: Fact extends keyof Transitions[Status] ? Status : never;
}[DiscrepancyStatus];

export function statusesBefore(fact: DiscrepancyFact): DiscrepancyStatus[] {
  return discrepancyStatuses.filter((status) => fact in discrepancyTransitions[status]);
}

/** Narrows to the statuses in which a person may close a discrepancy. */
export function mayClose(status: DiscrepancyStatus): status is StatusBefore<'closed'> {
  return 'closed' in discrepancyTransitions[status];
}

/** Why a person may not close a discrepancy of this status. */
export const closeRefusals: Record<Exclude<DiscrepancyStatus, StatusBefore<'closed'>>, string> = {
  resolved:
    'This discrepancy is resolved: it does not differ any more, ' +
    'and there is nothing left to close.',
  closed: 'This discrepancy is closed already, with the reason it shows.',
};
