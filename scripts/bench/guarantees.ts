import { hash } from 'node:crypto';
import type { ChargeRow } from '../../domain/payments/charge/row.ts';
import { newId } from '../../domain/shared/ids.ts';
import { MINUTE_MS } from '../../domain/shared/units.ts';
import { insert, named, type Statement } from './prepared.ts';

interface Created {
  charge: Pick<ChargeRow, 'id' | 'tenant_id'>;
  key: string;
  body: object;
  now: Date;
}

interface Notified {
  id: string;
  notification: string;
  now: Date;
}

interface Paid {
  charge: ChargeRow;
  /** The provider's answer to the verify. */
  verified: string;
  notificationId: string;
  event: { id: string; body: string };
  deliveryId: string;
  now: Date;
}

/** What is known at each step of a charge's life at which something may be written. */
export interface Stages {
  /** In the transaction that inserts the charge. */
  created: Created;
  creating: Created;
  opened: Created & { answer: object };
  notified: Notified;
  verifying: Notified;
  /** In the transaction that updates the charge. */
  paid: Paid;
  delivering: Paid;
  delivered: Paid & { tookMs: number };
}

export interface Guarantee {
  name: string;
  tables: string;
  writes: { [Stage in keyof Stages]?: (known: Stages[Stage]) => Statement[] };
}

/** Longer than a call may take: then somebody else claims the row. */
const LEASE_MS = MINUTE_MS;
const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS);

/** What the service promises beyond the floor, in the order in which the floor takes it on. */
export const guarantees: readonly Guarantee[] = [
  {
    name: 'idempotency',
    tables: `create table idempotency_keys (tenant_id text, key text, body_sha256 text not null,
      answer text, created_at timestamptz not null, primary key (tenant_id, key))`,
    writes: {
      created: ({ charge, key, body, now }) => [
        insert('idempotency_keys', {
          ...{ tenant_id: charge.tenant_id, key, created_at: now },
          body_sha256: hash('sha256', JSON.stringify(body)),
        }),
      ],
      opened: ({ charge, key, answer }) => [
        named('update idempotency_keys set answer = $3 where tenant_id = $1 and key = $2', [
          ...[charge.tenant_id, key, JSON.stringify(answer)],
        ]),
      ],
    },
  },
  {
    name: 'outbox',
    tables: `create table outbox (id text primary key, body text, tries int not null default 0,
        due_at timestamptz);
      create index on outbox (due_at) where due_at is not null`,
    writes: {
      created: ({ charge, now }) => [insert('outbox', { id: charge.id, due_at: now })],
      creating: ({ charge, now }) => [claim('outbox', charge.id, now)],
      opened: ({ charge }) => [settle(charge.id)],
      notified: ({ id, notification, now }) => [
        insert('outbox', { id, body: notification, due_at: now }),
      ],
      verifying: ({ id, now }) => [claim('outbox', id, now)],
      paid: ({ notificationId }) => [settle(notificationId)],
    },
  },
  {
    name: 'evidence',
    tables: `create table evidence (charge_id text not null, sha256 text not null,
        payload text not null, created_at timestamptz not null);
      create index on evidence (charge_id)`,
    writes: {
      paid: ({ charge, verified, now }) => [
        insert('evidence', {
          ...{ charge_id: charge.id, sha256: hash('sha256', verified) },
          ...{ payload: verified, created_at: now },
        }),
      ],
    },
  },
  {
    name: 'timeline',
    tables: `create table timeline_entries (id text not null, charge_id text not null,
      position bigint generated always as identity, at timestamptz not null, what text not null,
      detail text, amount_kobo bigint, evidence_sha256 text, primary key (charge_id, position))`,
    writes: {
      opened: ({ charge, now }) => [
        insert('timeline_entries', {
          ...{ id: newId('tle', now), charge_id: charge.id, at: now },
          ...{ what: 'charge.pending', detail: 'The payment is open at the provider.' },
          ...{ amount_kobo: null, evidence_sha256: null },
        }),
      ],
      paid: ({ charge, verified, now }) => [
        insert('timeline_entries', {
          ...{ id: newId('tle', now), charge_id: charge.id, at: now },
          ...{ what: 'charge.succeeded', detail: 'The provider confirmed the payment.' },
          ...{ amount_kobo: charge.amount_kobo, evidence_sha256: hash('sha256', verified) },
        }),
      ],
    },
  },
  {
    name: 'event',
    tables: `create table events (id text primary key, tenant_id text not null, mode text not null,
        type text not null, subject_id text not null, body text not null,
        created_at timestamptz not null);
      create table deliveries (id text primary key, event_id text not null, status text not null,
        tries int not null default 0, due_at timestamptz, finished_at timestamptz);
      create index on deliveries (due_at) where status = 'pending';
      create table delivery_tries (delivery_id text, try int, at timestamptz not null,
        duration_ms int not null, status_code smallint, primary key (delivery_id, try))`,
    writes: {
      paid: ({ charge, event, deliveryId, now }) => [
        insert('events', {
          ...{ id: event.id, tenant_id: charge.tenant_id, mode: charge.mode },
          ...{ type: 'charge.succeeded', subject_id: charge.id, body: event.body, created_at: now },
        }),
        insert('deliveries', {
          ...{ id: deliveryId, event_id: event.id, status: 'pending', due_at: now },
        }),
      ],
      delivering: ({ deliveryId, now }) => [claim('deliveries', deliveryId, now)],
      delivered: ({ deliveryId, tookMs, now }) => [
        named(
          `update deliveries set status = 'delivered', due_at = null, finished_at = $2 where id = $1`,
          [deliveryId, now],
        ),
        insert('delivery_tries', {
          ...{ delivery_id: deliveryId, try: 1, at: now },
          ...{ duration_ms: Math.round(tookMs), status_code: 200 },
        }),
      ],
    },
  },
  {
    name: 'journal',
    tables: `create table postings (id text primary key, tenant_id text not null,
        mode text not null, connection_id text not null, debit text not null,
        credit text not null, amount_kobo bigint not null check (amount_kobo > 0),
        type text not null, source text not null, created_at timestamptz not null);
      create index on postings (tenant_id, mode, id);
      create index on postings (source)`,
    writes: {
      paid: ({ charge, now }) => [
        posting(charge, now, ['at_provider', 'collected', charge.amount_kobo, 'capture']),
        posting(charge, now, ['fees', 'at_provider', charge.fee_kobo, 'fee']),
      ],
    },
  },
];

function posting(
  { id: source, tenant_id, mode, connection_id }: ChargeRow,
  now: Date,
  [debit, credit, amount_kobo, type]: [string, string, number, string],
): Statement {
  return insert('postings', {
    ...{ id: newId('btx', now), tenant_id, mode, connection_id, debit, credit, amount_kobo },
    ...{ type, source, created_at: now },
  });
}

function claim(table: 'outbox' | 'deliveries', id: string, now: Date): Statement {
  const text = `update ${table} set tries = tries + 1, due_at = $3 where id = $1 and due_at <= $2`;
  return named(text, [id, now, leaseFrom(now)]);
}

function settle(id: string): Statement {
  return named('update outbox set due_at = null where id = $1', [id]);
}
