import type { Sql } from '../../domain/shared/sql.ts';
import type { Payment } from './records.ts';
import { askedRows, columnsOf } from './rows.ts';

/** What a customer's try makes of a page. */
export interface PageChange {
  /** As it was read. */
  page: Pick<Payment, 'id' | 'attempts'>;
  /** The page afterwards, or the attempt made at it. */
  payment: Payment;
  notification: QueuedNotification;
}

/** A notification to be queued with its change, so many times. */
export interface QueuedNotification {
  copies: number;
  body: string;
  tries: number;
  dueAt: Date;
}

/**
 * Writes changes of pages that are as they were read, with their notifications. Returns the numbers
 * of the notifications; undefined where the page has changed meanwhile.
 */
export async function changePages(
  sql: Sql,
  now: Date,
  changes: readonly PageChange[],
): Promise<(number[] | undefined)[]> {
  const rows = await sql.query<{ n: number; notification_id: number | null }>(statement, [
    now,
    ...columnsOf(changes, ({ page, payment, notification }) => [
      page.id,
      page.attempts,
      payment.kind === 'attempt' ? payment.id : null,
      payment.status,
      payment.paidKobo,
      payment.feeKobo,
      payment.payerFeeKobo,
      payment.channel,
      payment.gatewayResponse,
      payment.paidAt,
      payment.linkExpiresAt,
      notification.copies,
      notification.body,
      notification.tries,
      notification.dueAt,
    ]),
  ]);
  const byChange = Map.groupBy(rows, ({ n }) => n);
  return changes.map((_, i) =>
    byChange.get(i + 1)?.flatMap(({ notification_id: id }) => (id === null ? [] : id)),
  );
}

const columns = {
  page_id: 'bigint',
  attempts: 'integer',
  attempt_id: 'bigint',
  outcome: 'text',
  paid_kobo: 'bigint',
  fee_kobo: 'bigint',
  payer_fee_kobo: 'bigint',
  channel: 'text',
  gateway_response: 'text',
  paid_at: 'timestamptz',
  link_expires_at: 'timestamptz',
  copies: 'integer',
  body: 'text',
  tries: 'integer',
  due_at: 'timestamptz',
};

/**
 * $1 is now. The number of attempts changes with everything that a customer does on a page. A link
 * remembers only how it went.
 */
const statement = `
  with page as (
    update sandbox.payment page
       set attempts = page.attempts + 1,
           outcome = case page.outcome when 'paid' then page.outcome else asked.outcome end,
           paid_kobo = case page.kind when 'payment' then asked.paid_kobo end,
           fee_kobo = case page.kind when 'payment' then asked.fee_kobo end,
           payer_fee_kobo = case page.kind when 'payment' then asked.payer_fee_kobo else 0 end,
           channel = case page.kind when 'payment' then asked.channel end,
           gateway_response = case page.kind when 'payment' then asked.gateway_response end,
           paid_at = case page.kind when 'payment' then asked.paid_at end,
           link_expires_at = case page.kind when 'payment' then asked.link_expires_at
                                            else page.link_expires_at end
      from ${askedRows(columns, 2)}
     where page.id = any($2) and page.id = asked.page_id and page.attempts = asked.attempts and page.kind <> 'forgotten'
       and (page.link_expires_at is null or page.link_expires_at > $1)
    returning asked.*, page.account_id, page.reference, page.access_code, page.email,
              page.customer_name, page.customer_phone, page.description, page.callback_url,
              page.metadata, page.requested_kobo, page.next_refund),
  attempt as (
    insert into sandbox.payment (id, account_id, kind, link_id, reference, access_code, email,
                                 customer_name, customer_phone, description, callback_url, metadata,
                                 requested_kobo, next_refund, created_at, outcome, paid_kobo,
                                 fee_kobo, payer_fee_kobo, channel, gateway_response, attempts, paid_at,
                                 link_expires_at)
    overriding system value
    select attempt_id, account_id, 'attempt', page_id, reference, access_code, email, customer_name,
           customer_phone, description, callback_url, metadata, requested_kobo, next_refund, $1,
           outcome, paid_kobo, fee_kobo, payer_fee_kobo, channel, gateway_response, 1, paid_at,
           link_expires_at
      from page where attempt_id is not null),
  queued as materialized (
    select page.*, nextval('sandbox.notification_id_seq') as id
      from page, generate_series(1, page.copies)),
  notified as (
    insert into sandbox.notification (id, account_id, body, created_at, tries, due_at)
    overriding system value select id, account_id, body, $1, tries, due_at from queued)
  select page.n, queued.id as notification_id from page left join queued using (n)`;
