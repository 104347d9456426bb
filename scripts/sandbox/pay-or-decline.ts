import type { SandboxContext } from './context.ts';
import { changeAndNotify } from './notifications.ts';
import { reloadPayPage } from './pay-pages.ts';
import { hasEnded, isPaid } from './payments.ts';
import type { Channel, Payment, PayPage } from './records.ts';

/** What the customer does on the pay page. */
export interface PayerAction {
  outcome: 'success' | 'failed';
  channel: Channel;
  amountKobo?: number | undefined;
  /** The fee, where the customer bears it on top. */
  payerFeeKobo?: number | undefined;
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
    const payment = afterwards(context, read, action);
    if (await record(context, read, payment, action)) return payment;
    read = await reloadPayPage(context.sql, read);
  }
  return undefined;
}

function takesMoney(page: PayPage, now: Date, { again }: PayerAction): boolean {
  return !hasEnded(page, now) && (!isPaid(page) || (again === true && page.kind === 'link'));
}

function afterwards(
  { now, providers }: SandboxContext,
  page: PayPage,
  { outcome, channel, amountKobo, payerFeeKobo = 0, reason }: PayerAction,
): Payment {
  const payment = page.attemptId === null ? page : newAttempt(page, page.attemptId, now());
  const { declineIsFinal, feeKobo } = providers[page.account.provider];
  const tried = { ...payment, channel, attempts: payment.attempts + 1 };
  if (outcome === 'failed')
    return {
      ...tried,
      status: 'failed',
      gatewayResponse: reason ?? 'Declined',
      ...(declineIsFinal && { linkExpiresAt: now() }),
    };
  const paidKobo = (amountKobo ?? page.requestedKobo) + payerFeeKobo;
  return {
    ...tried,
    status: 'paid',
    gatewayResponse: 'Successful',
    paidKobo,
    feeKobo: payerFeeKobo > 0 ? payerFeeKobo : feeKobo(paidKobo),
    payerFeeKobo,
    paidAt: now(),
  };
}

/** An attempt is a transaction of its own, with all that its link says of the customer. */
function newAttempt(link: PayPage, id: number, createdAt: Date): Payment {
  return {
    ...link,
    id,
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
  return changeAndNotify(context, account, message, (notification) =>
    context.batched.changePage({ page, payment, notification }),
  );
}
