import Type, { type Static, type TSchema } from 'typebox';
import { eventTypes } from '../../domain/webhooks/entities/event.ts';
import type { EventType } from '../../domain/webhooks/event/publish.ts';
import { discrepancy } from '../discrepancies/schemas.ts';
import { dispute } from '../disputes/schemas.ts';
import { listQuery } from '../http/cursor.ts';
import { id, mode, object, string, tenantId, text, time } from '../http/schema.ts';
import { refund } from '../refunds/schemas.ts';
import { settlement } from '../settlements/schemas.ts';
import { transaction } from '../transactions/schemas.ts';

/** `cursor` is what every list takes, and means the same as `after` here. */
export const eventsQuery = listQuery({
  after: Type.Optional(
    text(200, {
      format: 'cursor',
      description:
        '`next_cursor` of the page before, or the id of an event: only what came later. `now`: ' +
        'only what comes from now on.',
    }),
  ),
});

export type EventsQuery = Static<typeof eventsQuery>;

export const payloads: Record<EventType, { about: string; data: TSchema; status: string }> = {
  'charge.succeeded': {
    about: 'A charge succeeded: it was paid.',
    data: transaction,
    status: 'succeeded',
  },
  'refund.completed': {
    about: 'A refund is completed: credit the order back.',
    data: refund,
    status: 'completed',
  },
  'charge.failed': {
    about:
      'A charge failed: it was not paid in time, was cancelled, or was refused or declined. The ' +
      'payer of a declined one may try again on its page until it expires, unless you cancel it.',
    data: transaction,
    status: 'failed',
  },
  'charge.disputed': {
    about: 'The payer disputes a payment.',
    data: transaction,
    status: 'disputed',
  },
  'refund.requested': {
    about: 'A refund was requested: an Owner approves or rejects it.',
    data: refund,
    status: 'requested',
  },
  'refund.approved': {
    about: 'An Owner approved a refund: it is sent to the provider.',
    data: refund,
    status: 'approved',
  },
  'refund.rejected': {
    about: 'An Owner rejected a refund.',
    data: refund,
    status: 'rejected',
  },
  'refund.failed': { about: 'A refund failed.', data: refund, status: 'failed' },
  'dispute.closed': {
    about: 'A dispute is decided: it was won, or lost and the money went back.',
    data: dispute,
    status: 'lost',
  },
  'settlement.landed': {
    about:
      'A provider paid collected money out, all of it or less than expected. ' +
      'Sent once, when it first landed.',
    data: settlement,
    status: 'landed',
  },
  'discrepancy.opened': {
    about: 'Our records and a payout, or a provider’s list of payments, differ.',
    data: discrepancy,
    status: 'open',
  },
};

/** The bodies of webhooks. */
export const envelopes = Object.fromEntries(
  eventTypes.map((type) => [type, envelopeOf(type)]),
) as Record<EventType, ReturnType<typeof envelopeOf>>;

function envelopeOf(type: EventType) {
  const { about, data } = payloads[type];
  return object(titleOf(type), about, {
    id: id('evt'),
    type: Type.Literal(type, {
      description: 'What happened.',
      // Go tells events apart by it: its clients overlook constants.
      pattern: `^${type.replace('.', '[.]')}$`,
    }),
    created_at: time('When it happened.'),
    mode: mode('`live` or `test`: where it happened.'),
    tenant_id: tenantId(),
    data,
  });
}

/** `charge.succeeded` → `ChargeSucceededEvent`. */
export function titleOf(type: EventType): string {
  return `${type.replace(/(^|\.)([a-z])/g, (_, _dot, letter) => letter.toUpperCase())}Event`;
}

export const event = Type.Unsafe<object>({
  title: 'Event',
  description: 'What happened, with the object it happened to as it was then.',
  oneOf: eventTypes.map((type) => envelopes[type]),
  discriminator: { propertyName: 'type' },
});

/** The feed has no end, so there is always a `next_cursor`. */
export const events = object('EventFeed', 'A page of events, oldest first.', {
  data: Type.Array(event, { description: 'The events of this page.' }),
  next_cursor: string(
    'The position to continue from; always present, also when there are no events yet. ' +
      'Send it as `after`.',
    { examples: ['NzQxLmV2dF8wMWsydjhuMGQ0ZTdnOWgzajVtNnA4cTFycyAwMTIzNDU2Nzg5YWI'] },
  ),
  tenant_id: tenantId(),
});
