import { paymentRules } from './audit-payments.ts';
import { refundRules } from './audit-refunds.ts';
import {
  countBy,
  each,
  type Finding,
  isPaid,
  joined,
  mayBeReversedFirst,
  type Rule,
} from './findings.ts';
import type { ChaosRecords } from './records.ts';

const eventRules = {
  everyOutcomeHasItsEvent({ transactions, applied, knownRefunds, events }) {
    const counts = countBy(events.map(({ type, subject }) => `${type} ${subject}`));
    const unheard = (reference: string) => applied.get(reference)?.some(mayBeReversedFirst);
    const wanted = [
      ...transactions
        .filter((charge) => isPaid(charge) && !unheard(charge.reference))
        .map(({ reference }) => `charge.succeeded ${reference}`),
      ...transactions
        .filter(({ status }) => status === 'disputed')
        .map(({ reference }) => `charge.disputed ${reference}`),
      ...knownRefunds
        .filter(({ status, origin }) => origin !== 'system' && /^(completed|failed)$/.test(status))
        .map(({ id, status }) => `refund.${status} ${id}`),
    ];
    return [
      ...each(wanted, 'lost_events', (event) => !counts.has(event) && `there is no ${event}`),
      ...each(
        counts,
        'duplicate_events',
        ([event, count]) =>
          event.startsWith('charge.succeeded') && count > 1 && `${event} is there ${count} times`,
      ),
    ];
  },

  eventsAreDelivered({ events, received }) {
    const keyOf = (tenantId: string, id: string) => `${tenantId} ${id}`;
    const signed = received.filter(({ isSigned }) => isSigned);
    const delivered = new Set(signed.map(({ tenantId, eventId }) => keyOf(tenantId, eventId)));
    const known = new Set(events.map(({ tenantId, id }) => keyOf(tenantId, id)));
    return [
      ...each(
        events,
        'lost_events',
        ({ tenantId, id, type, subject }) =>
          !delivered.has(keyOf(tenantId, id)) && `${type} ${subject} was not delivered`,
      ),
      ...each(
        received,
        'wrong_state',
        ({ tenantId, eventId }) =>
          !known.has(keyOf(tenantId, eventId)) && `${eventId} was delivered and does not exist`,
      ),
      ...each(
        received,
        'wrong_state',
        ({ eventId, isSigned }) => !isSigned && `${eventId} came with a wrong signature`,
      ),
    ];
  },

  /** Who follows the cursor reads every event once, in the order of the feed. */
  feedsAreComplete({ events, read }) {
    return [...read].flatMap(([tenantId, ids]): Finding[] => {
      const wanted = events.filter((event) => event.tenantId === tenantId).map(({ id }) => id);
      if (ids.join() === wanted.join()) return [];
      const mistakes = [
        ...each(
          wanted,
          'lost_events',
          (id) => !ids.includes(id) && `${tenantId} did not read ${id}`,
        ),
        ...each(
          ids.entries(),
          'duplicate_events',
          ([at, id]) => ids.indexOf(id) < at && `${tenantId} read ${id} twice`,
        ),
      ];
      const what = `${tenantId} read its events in another order`;
      return mistakes.length > 0 ? mistakes : [{ count: 'wrong_state', what }];
    });
  },
} satisfies Record<string, Rule>;

/** What is wrong, or not finished yet. Nothing: every promise is kept. */
export function audit(records: ChaosRecords): Finding[] {
  const all = joined(records);
  return Object.values(rules).flatMap((rule) => rule(all));
}

const rules: Record<string, Rule> = {
  ...paymentRules,
  ...eventRules,
  ...refundRules,
  everyRowIsWorkedOn: ({ stuck }) => each(stuck, 'stuck', (what) => what),
  processesKeepRunning: ({ unexpectedEnds }) => each(unexpectedEnds, 'wrong_state', (what) => what),
  nothingIsRefusedThatShouldBeServed: ({ refusals }) =>
    each(refusals, 'wrong_state', (what) => what),
};
