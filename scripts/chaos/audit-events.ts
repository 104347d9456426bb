import { isPaid } from './audit-payments.ts';
import { mayBeReversedFirst } from './audit-returns.ts';
import { countBy, type Finding, found } from './findings.ts';
import { isOf } from './payment-of.ts';
import type { ChaosRecords } from './records.ts';

export function everyOutcomeHasItsEvent({
  transactions,
  captures,
  payments,
  knownRefunds,
  events,
}: ChaosRecords): Finding[] {
  const unheard = new Set(
    captures
      .filter((capture) => capture.status === 'applied')
      .filter((capture) =>
        payments.some((each) => isOf(capture, each) && mayBeReversedFirst(capture, each)),
      )
      .map(({ chargeReference }) => chargeReference),
  );
  const counts = countBy(events.map(({ type, subject }) => `${type} ${subject}`));
  const charges = transactions
    .filter(({ reference, status }) => isPaid(status) && !unheard.has(reference))
    .map(({ reference }) => `charge.succeeded ${reference}`);
  const disputed = transactions
    .filter(({ status }) => status === 'disputed')
    .map(({ reference }) => `charge.disputed ${reference}`);
  const refunds = knownRefunds
    .filter(({ status, origin }) => origin !== 'system' && /^(completed|failed)$/.test(status))
    .map(({ id, status }) => `refund.${status} ${id}`);
  const missing = [...charges, ...disputed, ...refunds]
    .filter((wanted) => !counts.has(wanted))
    .map((wanted) => found('lost_events', `there is no ${wanted}`));
  const repeated = [...counts]
    .filter(([event, count]) => event.startsWith('charge.succeeded') && count > 1)
    .map(([event, count]) => found('duplicate_events', `${event} is there ${count} times`));
  return [...missing, ...repeated];
}

export function eventsAreDelivered({ events, received }: ChaosRecords): Finding[] {
  const delivered = new Set(
    received
      .filter(({ isSigned }) => isSigned)
      .map(({ tenantId, eventId }) => `${tenantId} ${eventId}`),
  );
  const missing = events
    .filter(({ tenantId, id }) => !delivered.has(`${tenantId} ${id}`))
    .map(({ type, subject }) => found('lost_events', `${type} ${subject} was not delivered`));
  const known = new Set(events.map(({ tenantId, id }) => `${tenantId} ${id}`));
  const foreign = received
    .filter(({ tenantId, eventId }) => !known.has(`${tenantId} ${eventId}`))
    .map(({ eventId }) => found('wrong_state', `${eventId} was delivered and does not exist`));
  const unsigned = received
    .filter(({ isSigned }) => !isSigned)
    .map(({ eventId }) => found('wrong_state', `${eventId} came with a wrong signature`));
  return [...missing, ...foreign, ...unsigned];
}

/** Who follows the cursor reads every event once, in the order of the feed. */
export function feedsAreComplete({ events, read }: ChaosRecords): Finding[] {
  return [...read].flatMap(([tenantId, ids]) => {
    const wanted = events.filter((event) => event.tenantId === tenantId).map(({ id }) => id);
    if (ids.join() === wanted.join()) return [];
    const seen = new Set(ids);
    const skipped = wanted.filter((id) => !seen.has(id));
    const twice = ids.length - seen.size;
    return [
      ...skipped.map((id) => found('lost_events', `${tenantId} did not read ${id}`)),
      ...Array.from({ length: twice }, () =>
        found('duplicate_events', `${tenantId} read an event twice`),
      ),
      ...(skipped.length + twice === 0
        ? [found('wrong_state', `${tenantId} read its events in another order`)]
        : []),
    ];
  });
}
