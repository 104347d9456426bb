import { randomBytes } from 'node:crypto';
import { count } from './accounts.ts';
import type { SandboxContext } from './context.ts';
import type { Account, Channel, Payment } from './records.ts';
import { chargeOf, type Store } from './store.ts';
import { defined } from './wire.ts';

/** What an account asks a customer to pay, in the fields of a payment. */
export type Order = { email: string; requestedKobo: number } & {
  [Field in 'reference' | keyof typeof unsaid]?: Payment[Field] | undefined;
};

const unsaid = {
  ...{ customerName: null, customerPhone: null, description: null },
  ...{ callbackUrl: null, metadata: null, linkExpiresAt: null },
};

/** Opens a payment, or a link. Undefined when the account has a payment of the reference. */
export function openPayment(
  context: SandboxContext,
  account: Account,
  order: Order,
  kind: 'payment' | 'link' = 'payment',
): Payment | undefined {
  const { store, providers, now } = context;
  // From node:crypto and not from context.random, which tests may hold still: two payments must
  // never share a page.
  const reference = order.reference ?? randomBytes(5).toString('hex');
  if (kind === 'payment' && ofReference(store, account, reference).some(isAlone)) return undefined;
  const id = store.payment.nextId();
  const { accessCodeOf } = providers[account.provider];
  return store.payment.add({
    ...{ ...untried, ...unsaid, ...defined(order), id, accountId: account.id, kind, reference },
    accessCode: accessCodeOf?.(id, now()) ?? randomBytes(8).toString('hex').slice(0, 15),
    createdAt: now(),
  });
}

/** Counts a create before anything can go wrong with it. */
export function countCreate(context: SandboxContext, account: Account, reference?: string): void {
  const { store } = context;
  count(context, account, 'creates');
  if (reference === undefined) return;
  if (ofReference(store, account, reference).length > 0)
    count(context, account, 'resent_after_accept');
  if (store.reference.first(`${account.id} ${reference}`)) return;
  store.reference.add({ accountId: account.id, reference });
  count(context, account, 'distinct_references');
}

const isAlone = ({ kind }: Payment): boolean => kind === 'payment';

/** Whether any payment was asked for that is for the charge of this reference. */
export function wasAskedFor(store: Store, reference: string): boolean {
  const [charge = reference] = chargeOf(reference);
  return store.reference.first(`charge ${charge}`) !== undefined;
}

/** A payment nobody tried to make. */
export const untried = {
  status: 'open',
  nextRefund: 'completed',
  ...{ linkId: null, paidKobo: null, feeKobo: null, payerFeeKobo: 0 },
  ...{ reversedKobo: 0, reversingKobo: 0, refundedKobo: 0, takenKobo: 0, channel: null },
  ...{ gatewayResponse: null, attempts: 0, settlementId: null },
  ...{ lineKobo: null, lineFeeKobo: null, lineCurrency: null, paidAt: null },
} as const;

export interface PayerAction {
  outcome: 'success' | 'failed';
  channel: Channel;
  amountKobo?: number | undefined;
  /** The fee, where the customer bears it on top. */
  payerFeeKobo?: number | undefined;
  /** Why it is declined, in the words of the customer's bank. */
  reason?: string | undefined;
  again?: boolean | undefined;
}

/** The customer pays or is declined: the payment, or an attempt at a link; undefined: too late. */
export function payOrDecline(context: SandboxContext, page: Payment, action: PayerAction) {
  const { store, now } = context;
  const again = action.again === true && page.kind === 'link';
  if (hasEnded(page, now()) || (isPaid(page) && !again)) return undefined;
  const outcome = outcomeOf(context, page, action);
  const attempts = page.attempts + 1;
  if (outcome.status === 'paid') count(context, store.account.get(page.accountId)!, 'captures');
  if (page.kind === 'payment') return store.payment.change(page, { ...outcome, attempts });
  // A link remembers only how it went; an attempt at it is a transaction of its own, with all that
  // its link says of the customer.
  store.payment.change(page, { attempts, status: isPaid(page) ? page.status : outcome.status });
  const { id: linkId, ...link } = page;
  const tried = { ...link, kind: 'attempt', linkId, attempts: 1, createdAt: now() } as const;
  return store.payment.add({ ...tried, ...outcome });
}

function outcomeOf(
  { providers, store, now }: SandboxContext,
  page: Payment,
  { outcome, channel, amountKobo, payerFeeKobo = 0, reason }: PayerAction,
): Partial<Payment> & Pick<Payment, 'status'> {
  const { declineIsFinal, feeKobo } = providers[store.account.get(page.accountId)!.provider];
  if (outcome === 'failed')
    return {
      ...{ status: 'failed', channel, gatewayResponse: reason ?? 'Declined' },
      ...(declineIsFinal && { linkExpiresAt: now() }),
    };
  const paidKobo = (amountKobo ?? page.requestedKobo) + payerFeeKobo;
  return {
    ...{ status: 'paid', channel, gatewayResponse: 'Successful', paidKobo, payerFeeKobo },
    feeKobo: payerFeeKobo > 0 ? payerFeeKobo : feeKobo(paidKobo),
    paidAt: now(),
  };
}

export interface UnrequestedPayment {
  reference: string;
  amountKobo: number;
  channel: Channel;
  at: Date;
}

/** Takes money under a reference, paid at once. Undefined when the reference is used. */
export function takeUnrequestedPayment(
  context: SandboxContext,
  account: Account,
  { reference, amountKobo, channel, at }: UnrequestedPayment,
): Payment | undefined {
  const then = { ...context, now: () => at };
  const payment = openPayment(then, account, {
    ...{ reference, requestedKobo: amountKobo, email: 'walk-in@example.com' },
    ...{ customerName: 'Walk-in Customer', description: 'Sale at the counter' },
  });
  return payment && payOrDecline(then, payment, { outcome: 'success', channel });
}

/** Whether money was taken, whatever became of it since. */
export const isPaid = ({ status }: Payment): boolean => status !== 'open' && status !== 'failed';

/** Whether its page takes no money any more because its time is over. */
export function hasEnded({ linkExpiresAt }: Payment, now: Date): boolean {
  return linkExpiresAt !== null && linkExpiresAt <= now;
}

/** An account's payments, links and attempts of a reference, newest first. */
export function ofReference(store: Store, { id }: Account, reference: string): Payment[] {
  return store.payment
    .find(`reference ${reference}`)
    .filter((payment) => payment.accountId === id && payment.reference === reference);
}

/** An account's payment or newest attempt, by its own reference. */
export function findPaymentByReference(store: Store, account: Account, reference: string) {
  return paymentsOf(store, account, reference)[0];
}

/** An account's payment or attempt, by its number. */
export function findPayment(store: Store, { id: accountId }: Account, id = 0): Payment | undefined {
  const payment = store.payment.get(id);
  return payment?.accountId === accountId && payment.kind !== 'link' ? payment : undefined;
}

/** An account's payments and attempts, or those of a reference, newest first. */
export function paymentsOf(store: Store, account: Account, reference?: string): Payment[] {
  const found =
    reference === undefined
      ? store.payment.find(`account ${account.id}`)
      : ofReference(store, account, reference);
  return found.filter(({ kind }) => kind !== 'link');
}

/** The payment or link behind the address of a page. */
export function findPage(store: Store, accessCode: string): Payment | undefined {
  return store.payment.first(`page ${accessCode}`);
}

/** The payment itself once anything was tried, or the newest attempt at a link. */
export function findLastTry(store: Store, page: Payment): Payment | undefined {
  if (page.kind === 'payment') return page.attempts > 0 ? page : undefined;
  return store.payment.find(`link ${page.id}`)[0];
}

/** What the control side's `reference` means, newest first: a full one, or a charge's `SV-<n>`. */
export function findMeant(store: Store, reference: string): Payment[] {
  return store.payment
    .find(`reference ${reference}`)
    .filter(({ kind, attempts }) => kind !== 'link' || attempts === 0);
}

/** The newest page that takes money, under a reference that is not paid unless `again`. */
export function findPayable(
  { store, now }: Pick<SandboxContext, 'store' | 'now'>,
  reference: string,
  again = false,
): Payment | undefined {
  const meant = store.payment.find(`reference ${reference}`);
  const paid = meant.filter(isPaid);
  const isPaidFor = ({ accountId, reference: own }: Payment) =>
    paid.some((other) => other.accountId === accountId && other.reference === own);
  const takesMoney = (page: Payment) => !isPaidFor(page) || (again && page.kind === 'link');
  const payable = meant.filter(
    (page) => page.kind !== 'attempt' && !hasEnded(page, now()) && takesMoney(page),
  );
  return payable.find((page) => !isPaid(page)) ?? payable[0];
}
