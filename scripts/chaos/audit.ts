import { paymentRules } from './audit-payments.ts';
import { refundRules } from './audit-refunds.ts';
import {
  countBy,
  type Finding,
  isPaid,
  joined,
  mayBeReversedFirst,
  type Rule,
} from './findings.ts';
import type { ChaosRecords } from './records.ts';

const eventRules = {
  *everyOutcomeHasItsEvent({ transactions, applied, knownRefunds, events }) {
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
        .flatMap(({ id, status, origin }) => [
          `refund.${status} ${id}`,
          ...(origin === 'merchant' ? [`refund.requested ${id}`, `refund.approved ${id}`] : []),
        ]),
    ];
    for (const event of wanted)
      if (!counts.has(event)) yield ['lost_events', `there is no ${event}`];
    for (const [event, count] of counts)
      if (event.startsWith('charge.succeeded') && count > 1)
        yield ['duplicate_events', `${event} is there ${count} times`];
  },

  *eventsAreDelivered({ events, eventsReadAtMs, received }) {
    const keyOf = (tenantId: string, id: string) => `${tenantId} ${id}`;
    const signed = received.filter(({ isSigned }) => isSigned);
    const delivered = new Set(signed.map(({ tenantId, eventId }) => keyOf(tenantId, eventId)));
    const known = new Set(events.map(({ tenantId, id }) => keyOf(tenantId, id)));
    for (const { tenantId, id, type, subject } of events)
      if (!delivered.has(keyOf(tenantId, id)))
        yield ['lost_events', `${type} ${subject} was not delivered`];
    for (const { tenantId, eventId, atMs, isSigned } of received) {
      if (atMs < eventsReadAtMs && !known.has(keyOf(tenantId, eventId)))
        yield ['wrong_state', `${eventId} was delivered and does not exist`];
      if (!isSigned) yield ['wrong_state', `${eventId} came with a wrong signature`];
    }
  },

  /** Who follows the cursor reads every event once, in the order of the feed. */
  *feedsAreComplete({ events, read }) {
    for (const [tenantId, ids] of read) {
      const wanted = events.filter((event) => event.tenantId === tenantId).map(({ id }) => id);
      const unread = wanted.filter((id) => !ids.includes(id));
      const twice = ids.filter((id, at) => ids.indexOf(id) < at);
      for (const id of unread) yield ['lost_events', `${tenantId} did not read ${id}`];
      for (const id of twice) yield ['duplicate_events', `${tenantId} read ${id} twice`];
      if (unread.length + twice.length === 0 && ids.join() !== wanted.join())
        yield ['wrong_state', `${tenantId} read its events in another order`];
    }
  },
} satisfies Record<string, Rule>;

/** What is wrong, or not finished yet. Nothing: every promise is kept. */
export function audit(records: ChaosRecords): Finding[] {
  const all = joined(records);
  return Object.values(rules).flatMap((rule) =>
    [...rule(all)].map(([count, what]) => ({ count, what })),
  );
}

const rules: Record<string, Rule> = {
  ...paymentRules,
  ...eventRules,
  ...refundRules,
  *nothingElseIsWrong({ stuck, wrongBooks, unexpectedEnds, refusals }) {
    for (const what of wrongBooks) yield ['books_wrong', what];
    for (const what of stuck) yield ['stuck', what];
    for (const what of [...unexpectedEnds, ...refusals]) yield ['wrong_state', what];
  },
};
