import type { Sql } from '../../domain/shared/sql.ts';
import { accountOf } from './accounts.ts';
import type { SandboxContext } from './context.ts';
import { notify } from './notifications.ts';
import { findPaymentById, hasEnded, isPaid } from './payments.ts';
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
 * Undefined when it is paid already or its time  is over: of two at once, one takes the money. What
 * is declined stays payable, unless the provider ends it. The notification is committed  with the
 * money and sent after it.
 */
export async function payOrDecline(
  context: SandboxContext,
  pageId: number,
  action: PayerAction,
): Promise<Payment | undefined> {
  const payment = await context.sql.transaction(async (tx) => {
    const paid = await attempt(tx, context, pageId, action);
    if (paid && action.notify !== false) {
      const account = await accountOf(tx, paid);
      await notify(
        tx,
        context,
        account,
        context.providers[account.provider].notifications.payment(account, paid),
      );
    }
    return paid;
  });
  context.sendNotifications();
  return payment;
}

async function attempt(
  tx: Sql,
  context: SandboxContext,
  pageId: number,
  action: PayerAction,
): Promise<Payment | undefined> {
  await tx.query('select 1 from sandbox.payment where id = $1 for no key update', [pageId]);
  const page = (await findPaymentById(tx, pageId))!;
  if (hasEnded(page, context.now()) || (isPaid(page) && !(action.again && page.kind === 'link')))
    return undefined;
  const id = page.kind === 'link' ? await openAttempt(tx, context, page, action) : page.id;
  if (action.outcome === 'failed') await decline(tx, context, page, id, action);
  else await take(tx, context, page, id, action);
  return findPaymentById(tx, id);
}

/**
 * An attempt is a transaction of its own, with all that its link says of the customer. The link
 * remembers only how it went.
 */
async function openAttempt(
  tx: Sql,
  context: SandboxContext,
  { id }: Payment,
  { outcome }: PayerAction,
): Promise<number> {
  await tx.query(
    `update sandbox.payment set attempts = attempts + 1,
     outcome = case when outcome = 'paid' then outcome else $2 end where id = $1`,
    [id, outcome === 'success' ? 'paid' : 'failed'],
  );
  const [attempt] = await tx.query<{ id: number }>(
    `insert into sandbox.payment (account_id, kind, link_id, reference, access_code, email,
                                  customer_name, customer_phone, description, callback_url,
                                  metadata, requested_kobo, next_refund, link_expires_at,
                                  created_at)
     select account_id, 'attempt', id, reference, access_code, email, customer_name, customer_phone,
            description, callback_url, metadata, requested_kobo, next_refund, link_expires_at, $2
       from sandbox.payment where id = $1 returning id`,
    [id, context.now()],
  );
  return attempt!.id;
}

async function take(
  tx: Sql,
  context: SandboxContext,
  page: Payment,
  id: number,
  { amountKobo, channel }: PayerAction,
): Promise<void> {
  const { provider } = await accountOf(tx, page);
  const paidKobo = amountKobo ?? page.requestedKobo;
  await tx.query(
    `update sandbox.payment set outcome = 'paid', paid_kobo = $2, fee_kobo = $3, channel = $4,
            gateway_response = 'Successful', attempts = attempts + 1, paid_at = $5
      where id = $1`,
    [id, paidKobo, context.providers[provider].feeKobo(paidKobo), channel, context.now()],
  );
}

async function decline(
  tx: Sql,
  context: SandboxContext,
  page: Payment,
  id: number,
  { channel, reason = 'Declined' }: PayerAction,
): Promise<void> {
  const { provider } = await accountOf(tx, page);
  await tx.query(
    `update sandbox.payment set outcome = 'failed', channel = $2, gateway_response = $4,
            attempts = attempts + 1, link_expires_at = coalesce($3, link_expires_at)
      where id = $1`,
    [id, channel, context.providers[provider].declineIsFinal ? context.now() : null, reason],
  );
}
