import type { SandboxContext } from './context.ts';
import { changeAndNotify, notifyOfChange } from './notifications.ts';
import { type PayPage, reloadPayPage } from './pay-pages.ts';
import { hasEnded, isPaid } from './payments.ts';
import type { Channel, Payment } from './records.ts';

/** What the customer does on the pay page. */
export interface PayerAction {
  outcome: 'success' | 'failed';
  channel: Channel;
  amountKobo?: number | undefined;
  notify?: boolean | undefined;
  /** Why it is declined, in the words of the customer's bank. */
  reason?: string | undefined;
  /** Pay at a link that is paid already. */
  again?: boolean | undefined;
}

/**
 * The customer pays or is declined: answers the payment, or the attempt it made at a link.
 * Undefined when it is paid already or its time is over: of two at once, one takes the money. What
 * is declined stays payable, unless the provider ends it. The notification is committed with the
 * money and sent after it.
 */
export async function payOrDecline(
  context: SandboxContext,
  page: PayPage,
  action: PayerAction,
): Promise<Payment | undefined> {
  let read: PayPage | undefined = page;
  while (read && takesMoney(read, context.now(), action)) {
    const payment = await afterwards(context, read, action);
    if (await record(context, read, payment, action)) return payment;
    read = await reloadPayPage(context.sql, read);
  }
  return undefined;
}

function takesMoney(page: PayPage, now: Date, { again }: PayerAction): boolean {
  return !hasEnded(page, now) && (!isPaid(page) || (again === true && page.kind === 'link'));
}

async function afterwards(
  { sql, now, providers }: SandboxContext,
  page: PayPage,
  { outcome, channel, amountKobo, reason }: PayerAction,
): Promise<Payment> {
  const payment =
    page.kind === 'link' ? { ...page, ...(await newAttempt(sql, page, now())) } : page;
  const { declineIsFinal, feeKobo } = providers[page.account.provider];
  const tried = { ...payment, channel, attempts: payment.attempts + 1 };
  if (outcome === 'failed')
    return {
      ...tried,
      status: 'failed',
      gatewayResponse: reason ?? 'Declined',
      ...(declineIsFinal && { linkExpiresAt: now() }),
    };
  const paidKobo = amountKobo ?? page.requestedKobo;
  return {
    ...tried,
    status: 'paid',
    gatewayResponse: 'Successful',
    paidKobo,
    feeKobo: feeKobo(paidKobo),
    paidAt: now(),
  };
}

/** An attempt is a transaction of its own, with all that its link says of the customer. */
async function newAttempt(
  sql: SandboxContext['sql'],
  link: PayPage,
  createdAt: Date,
): Promise<Partial<Payment> & Pick<Payment, 'id'>> {
  const [next] = await sql.query<{ id: number }>(`select nextval('sandbox.payment_id_seq') as id`);
  return {
    id: next!.id,
    kind: 'attempt',
    linkId: link.id,
    status: 'open',
    attempts: 0,
    createdAt,
  };
}

/** Writes it if the page is as it was read, and notifies of it. Returns whether it did. */
function record(
  context: SandboxContext,
  page: PayPage,
  payment: Payment,
  { notify }: PayerAction,
): Promise<boolean> {
  const { account } = page;
  const { notifications } = context.providers[account.provider];
  const message = notify === false ? undefined : notifications.payment(account, payment);
  const isAttempt = payment.kind === 'attempt';
  return changeAndNotify(context, account, message, (notified) =>
    context.sql.query(isAttempt ? recordAttempt : recordPayment, [
      ...notified,
      page.id,
      page.attempts,
      payment.status,
      payment.paidKobo,
      payment.feeKobo,
      payment.channel,
      payment.gatewayResponse,
      payment.paidAt,
      payment.linkExpiresAt,
      ...(isAttempt ? [payment.id] : []),
    ]),
  );
}

/** $3 is now. The number of attempts changes with everything that a customer does on a page. */
const asRead = `id = $6 and attempts = $7 and kind <> 'forgotten'
  and (link_expires_at is null or link_expires_at > $3)`;

const recordPayment = `
  with changed as (
    update sandbox.payment
       set outcome = $8, paid_kobo = $9, fee_kobo = $10, channel = $11, gateway_response = $12,
           attempts = attempts + 1, paid_at = $13, link_expires_at = $14
     where ${asRead} returning account_id),
  ${notifyOfChange}`;

/** The link remembers only how it went. */
const recordAttempt = `
  with link as (
    update sandbox.payment set attempts = attempts + 1,
           outcome = case when outcome = 'paid' then outcome else $8 end
     where ${asRead} returning *),
  changed as (
    insert into sandbox.payment (id, account_id, kind, link_id, reference, access_code, email,
                                 customer_name, customer_phone, description, callback_url, metadata,
                                 requested_kobo, next_refund, created_at, outcome, paid_kobo,
                                 fee_kobo, channel, gateway_response, attempts, paid_at,
                                 link_expires_at)
    overriding system value
    select $15::bigint, account_id, 'attempt', id, reference, access_code, email, customer_name,
           customer_phone, description, callback_url, metadata, requested_kobo, next_refund, $3, $8,
           $9::bigint, $10::bigint, $11, $12, 1, $13::timestamptz, $14::timestamptz
      from link returning account_id),
  ${notifyOfChange}`;
