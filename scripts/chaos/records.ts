import { queues } from '../../domain/jobs.ts';
import { providerNamed } from '../../domain/providers/registry.ts';
import { wrongBalances, wrongRefunds } from '../audit/books.ts';
import { forgottenRows } from '../audit/forgotten-rows.ts';
import { callApi, type Market } from './market.ts';
import type { Merchant, ReceivedWebhook } from './merchants.ts';

export interface SeenTransaction {
  reference: string;
  email: string;
  status: string;
  amountKobo: number;
  refundedKobo: number;
}

export interface KnownCapture {
  id: string;
  chargeReference: string;
  attemptReference: string;
  connectionId: string;
  providerPaymentId: string;
  status: 'applied' | 'duplicate' | 'on_hold';
  amountKobo: number;
  recordedAtMs: number;
  isReviewed: boolean;
  /** What disputes on record lost of it. */
  lostKobo: number;
}

export interface KnownRefund {
  id: string;
  captureId: string;
  chargeReference: string;
  status: string;
  origin: string;
  amountKobo: number;
  needsAttention: boolean;
}

export type KnownEvent = { id: string; tenantId: string; type: string; subject: string };

export interface ProviderPayment {
  id: number;
  connectionId: string;
  reference: string;
  isAlone: boolean;
  paidKobo: number;
  paidAtMs: number;
  /** When the service first accepted a notification of it; null: never. */
  notifiedAtMs: number | null;
  takenKobo: number;
  lostKobo: number;
  /** When the last of both went; null: nothing did. */
  returnedAtMs: number | null;
  dispute: 'open' | 'won' | 'lost' | null;
  /** The service accepted a notification of the last of this. */
  isReturnTold: boolean;
}

/** A refund that a provider made, with our id of it. */
export interface ProviderRefund {
  paymentId: number;
  refundId: string | null;
  amountKobo: number;
  status: string;
}

/** Everything that every side says at one moment. */
export interface ChaosRecords extends Pick<Market, 'orders' | 'refunds' | 'refusals'> {
  transactions: SeenTransaction[];
  captures: KnownCapture[];
  knownRefunds: KnownRefund[];
  /** In the order of the feed. */
  events: KnownEvent[];
  /** An event that was received later may be younger than what was read. */
  eventsReadAtMs: number;
  payments: ProviderPayment[];
  providerRefunds: ProviderRefund[];
  /** Creates that a provider which takes a reference twice received after it had accepted them. */
  resentAfterAccept: number;
  received: readonly ReceivedWebhook[];
  read: ReadonlyMap<string, readonly string[]>;
  /** Rows that nobody works on, though somebody should. */
  stuck: string[];
  /** The figures by day, and what the charges add up to, where they differ. */
  wrongFigures: string[];
  /** Where the journal contradicts the records, also as the service itself compares them. */
  wrongBooks: string[];
  unexpectedEnds: string[];
}

export async function readRecords(
  market: Market,
  read: ChaosRecords['read'],
): Promise<ChaosRecords> {
  const { stack, merchants, orders, refunds, refusals } = market;
  const { query, querySandbox, processes } = stack;
  const lists = merchants.all.map((merchant) => listTransactions(market, merchant));
  return {
    ...{ orders, refunds, refusals, read, received: merchants.received },
    transactions: (await Promise.all(lists)).flat(),
    captures: await query(CAPTURES),
    knownRefunds: await query(REFUNDS),
    eventsReadAtMs: Date.now(),
    events: await query(EVENTS),
    payments: await querySandbox(PAYMENTS),
    providerRefunds: await querySandbox(PROVIDER_REFUNDS),
    resentAfterAccept: await readResent(stack.sandboxUrl),
    stuck: await readStuck(query),
    wrongFigures: (await query<{ what: string }>(WRONG_FIGURES)).map(({ what }) => what),
    wrongBooks: await readWrongBooks(query),
    unexpectedEnds: Object.values(processes).flatMap(({ unexpectedEnds }) => unexpectedEnds),
  };
}

interface ListedTransaction extends Pick<SeenTransaction, 'reference' | 'status'> {
  customer: { email: string };
  amount_kobo: number;
  refunded_kobo: number;
}
type TransactionsPage = { data: ListedTransaction[]; next_cursor?: string };

async function listTransactions({ stack, ended }: Market, { key }: Merchant) {
  const seen: SeenTransaction[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const path: string = `/transactions?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const call = { method: 'GET', path, key } as const;
    const answer = await callApi<TransactionsPage>(stack.apiUrl, call, ended);
    if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status ?? 'no answer'}`);
    for (const { reference, status, customer, ...row } of answer.json.data)
      seen.push({
        ...{ reference, status, email: customer.email },
        ...{ amountKobo: row.amount_kobo, refundedKobo: row.refunded_kobo },
      });
    cursor = answer.json.next_cursor;
  }
  return seen;
}

/** The other providers refuse a reference that they have, so that sending it again is safe. */
async function readResent(sandboxUrl: string): Promise<number> {
  const response = await fetch(`${sandboxUrl}/_control/stats`);
  const stats = (await response.json()) as Record<string, { resent_after_accept: number }>;
  return Object.entries(stats)
    .filter(([name]) => !providerNamed(name).capabilities.rejectsDuplicateReferences)
    .reduce((sum, [, { resent_after_accept: count }]) => sum + count, 0);
}

/** A row that is overdue by more than this has no worker. */
const OVERDUE_SECONDS = 60;

async function readStuck(query: Market['stack']['query']): Promise<string[]> {
  const forgotten = await forgottenRows({ query: query as never }, new Date());
  const overdue = Object.entries(queues).map(
    ([queue, { table, where }]) =>
      `select '${queue} overdue: ' || id as what from ${table}
       where ${where} and due_at < now() - interval '${OVERDUE_SECONDS} seconds'`,
  );
  const waiting = [
    `select 'notification without a due time: ' || id from notifications
     where status = 'received' and due_at is null`,
    `select 'delivery without a due time: ' || id from deliveries
     where status = 'pending' and due_at is null`,
  ];
  const rows = await query<{ what: string }>([...overdue, ...waiting].join(' union all '));
  return [...forgotten, ...rows].map(({ what }) => what);
}

async function readWrongBooks(query: Market['stack']['query']): Promise<string[]> {
  const sql = { query } as never;
  const found = await query(
    `select detail from discrepancies where kind = 'books' and status = 'open'`,
  );
  const wrong = [...(await wrongBalances(sql)), ...(await wrongRefunds(sql)), ...found];
  return wrong.map((row) => JSON.stringify(row));
}

const CAPTURES = `
select k.id, 'SV-' || c.number as "chargeReference", a.reference as "attemptReference",
  k.connection_id as "connectionId", k.provider_payment_id as "providerPaymentId", k.status,
  k.amount_kobo as "amountKobo",
  (extract(epoch from k.recorded_at) * 1000)::float8 as "recordedAtMs",
  exists (select from reviews v where v.capture_id = k.id) as "isReviewed",
  (select coalesce(sum(d.amount_kobo), 0)::bigint from disputes d
    where d.capture_id = k.id and d.status = 'lost') as "lostKobo"
from captures k join charges c on c.id = k.charge_id join attempts a on a.id = k.attempt_id`;

const REFUNDS = `
select r.id, r.capture_id as "captureId", 'SV-' || c.number as "chargeReference", r.status, r.origin,
  r.amount_kobo as "amountKobo", r.attention is not null as "needsAttention"
from refunds r join charges c on c.id = r.charge_id`;

const EVENTS = `
select e.id, e.tenant_id as "tenantId", e.type,
  coalesce('SV-' || c.number, e.subject_id) as subject
from events e left join charges c on c.id = e.subject_id
order by e.xact, e.id`;

/** The notification is committed with the payment. */
const PAYMENTS = `
with document as (select kind, id, body, (body->>'accountId')::bigint as account_id,
    (body->>'paymentId')::bigint as payment_id, (body->>'createdAt')::timestamptz as created_at
  from sandbox.document where body is not null),
notification as materialized (select payment_id, created_at,
    (body->>'deliveredAt')::timestamptz as delivered_at from document where kind = 'notification'),
returned as materialized (select payment_id, max(created_at) as at,
    sum((body->>'amountKobo')::bigint) filter (where body->>'disputeId' is null) as taken,
    sum((body->>'amountKobo')::bigint) filter (where body->>'disputeId' is not null) as lost
  from document where kind = 'deduction' and body->>'refundId' is null group by payment_id),
dispute as materialized (select payment_id, max((body->>'updatedAt')::timestamptz) as at,
    case when bool_or(body->>'resolution' = 'lost') then 'lost'
      when bool_or(body->>'resolution' is null) then 'open' else 'won' end as state
  from document where kind = 'dispute' group by payment_id)
select p.id, split_part(a.body->>'notificationUrl', '/notifications/', 2) as "connectionId",
  p.body->>'reference' as reference, p.body->>'kind' = 'payment' as "isAlone",
  (p.body->>'paidKobo')::bigint as "paidKobo",
  (extract(epoch from paid.at) * 1000)::float8 as "paidAtMs",
  (select (extract(epoch from min(n.delivered_at)) * 1000)::float8 from notification n
    where n.payment_id = p.id and n.created_at >= paid.at
      and n.created_at < paid.at + interval '1 second') as "notifiedAtMs",
  coalesce(d.taken, 0)::bigint as "takenKobo", coalesce(d.lost, 0)::bigint as "lostKobo",
  (extract(epoch from d.at) * 1000)::float8 as "returnedAtMs", q.state as dispute,
  exists (select from notification n where n.payment_id = p.id
    and n.created_at >= greatest(d.at, q.at) and n.delivered_at is not null) as "isReturnTold"
from document p join document a on a.kind = 'account' and a.id = p.account_id
cross join lateral (select (p.body->>'paidAt')::timestamptz as at) paid
left join returned d on d.payment_id = p.id left join dispute q on q.payment_id = p.id
where p.kind = 'payment' and p.body->>'kind' <> 'link' and paid.at is not null`;

const PROVIDER_REFUNDS = `
select (body->>'paymentId')::bigint as "paymentId", (body->>'amountKobo')::bigint as "amountKobo",
  body->>'status' as status, substring(coalesce(body->>'reference', body->>'merchantNote',
    body->>'customerNote') from 'ref_[0-9a-z]{26}') as "refundId"
from sandbox.document where kind = 'refund' and body is not null`;

const WRONG_FIGURES = `
with counted as (
  select slot, sum(succeeded)::bigint as succeeded, sum(failed)::bigint as failed,
    sum(collected_kobo)::bigint as collected, sum(refunded_kobo)::bigint as refunded
  from (select slot, succeeded, failed, collected_kobo, refunded_kobo from daily_figures
    union all select slot, succeeded, failed, collected_kobo, refunded_kobo from figure_changes) as f
  group by slot having sum(succeeded) <> 0 or sum(failed) <> 0),
added as (
  select slot, count(*) filter (where status <> 'failed') as succeeded,
    count(*) filter (where status = 'failed') as failed,
    coalesce(sum(amount_kobo) filter (where status <> 'failed'), 0)::bigint as collected,
    coalesce(sum(refunded_kobo) filter (where status <> 'failed'), 0)::bigint as refunded
  from charges where status not in ('initiated', 'pending') group by slot)
select concat('figures ', counted, ', charges ', added) as what
from counted full join added using (slot)
where counted.succeeded is distinct from added.succeeded
  or counted.failed is distinct from added.failed
  or counted.collected is distinct from added.collected
  or counted.refunded is distinct from added.refunded`;
