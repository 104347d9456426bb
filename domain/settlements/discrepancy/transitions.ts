import { type discrepancyKinds, discrepancyStatuses } from '../entities/discrepancy.ts';

export type DiscrepancyKind = (typeof discrepancyKinds)[number];

export type DiscrepancyStatus = (typeof discrepancyStatuses)[number];

export type DiscrepancyCause = 'vanished' | 'closed';

/** A closed one is resolved too. What comes back, or changes after, is a new one. */
export const discrepancyTransitions = {
  open: { vanished: 'resolved', closed: 'closed' },
  resolved: {},
  closed: { vanished: 'resolved' },
} as const satisfies Record<
  DiscrepancyStatus,
  Partial<Record<DiscrepancyCause, DiscrepancyStatus>>
>;

type Transitions = typeof discrepancyTransitions;

type StatusBefore<Cause extends DiscrepancyCause> = {
  [Status in DiscrepancyStatus]: Cause extends keyof Transitions[Status] ? Status : never;
}[DiscrepancyStatus];

export function statusesBefore(cause: DiscrepancyCause): DiscrepancyStatus[] {
  return discrepancyStatuses.filter((status) => cause in discrepancyTransitions[status]);
}

export function mayClose(status: DiscrepancyStatus): status is StatusBefore<'closed'> {
  return 'closed' in discrepancyTransitions[status];
}

export const closeRefusals: Record<Exclude<DiscrepancyStatus, StatusBefore<'closed'>>, string> = {
  resolved:
    'This discrepancy is resolved: it does not differ any more, ' +
    'and there is nothing left to close.',
  closed: 'This discrepancy is closed already, with the reason it shows.',
};
