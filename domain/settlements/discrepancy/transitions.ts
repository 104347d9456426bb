import { type discrepancyKinds, discrepancyStatuses } from '../entities/discrepancy.ts';

export type DiscrepancyKind = (typeof discrepancyKinds)[number];

export type DiscrepancyStatus = (typeof discrepancyStatuses)[number];

/** `vanished`: nothing differs any more. `closed`: a person accepts it and gives the reason. */
export type DiscrepancyCause = 'vanished' | 'closed';

/**
 * Where each cause takes a discrepancy. A closed one is resolved too once it does not differ any
 * more. What comes back after it vanished, or changes after it was closed, is a new one.
 */
export const discrepancyTransitions = {
  open: { vanished: 'resolved', closed: 'closed' },
  resolved: {},
  closed: { vanished: 'resolved' },
} as const satisfies Record<
  DiscrepancyStatus,
  Partial<Record<DiscrepancyCause, DiscrepancyStatus>>
>;

type Transitions = typeof discrepancyTransitions;

/** The statuses that a cause changes. */
type StatusBefore<Cause extends DiscrepancyCause> = {
  [Status in DiscrepancyStatus]: Cause extends keyof Transitions[Status] ? Status : never;
}[DiscrepancyStatus];

export function statusesBefore(cause: DiscrepancyCause): DiscrepancyStatus[] {
  return discrepancyStatuses.filter((status) => cause in discrepancyTransitions[status]);
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
