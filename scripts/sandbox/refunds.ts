import { accountOf, count } from './accounts.ts';
import type { SandboxContext } from './context.ts';
import { notifyOf } from './notifications.ts';
import { isPaid } from './payments.ts';
import type { Account, Deduction, Payment, Refund } from './records.ts';
import type { Store } from './store.ts';

/** A refund is processing after one step and ends after two. */
const STEP_MS = 500;

/** No settlement: the merchant's wallet paid. */
const WALLET = 0;

export interface RefundOrder {
  reference?: string | undefined;
  /** Absent: all that is left of the payment. */
  amountKobo?: number | undefined;
  customerNote?: string | undefined;
  merchantNote?: string | undefined;
}

export type RefundRefusal = 'unpaid' | 'reversed' | 'too much';

/** Queues a refund: those that are not failed never add up to more than was paid. */
export function createRefund(context: SandboxContext, payment: Payment, order: RefundOrder) {
  const { store, now } = context;
  const refusal = refuse(payment, order.amountKobo);
  if (refusal) return refusal;
  const refund = addRefund(context, payment, order, {
    ...{ status: 'pending', ending: payment.nextRefund },
    dueAt: new Date(now().getTime() + STEP_MS),
  });
  // The notification shows the payment as it was.
  notifyOf(context, { payment, refund });
  store.payment.change(payment, { nextRefund: 'completed' });
  restate(store, payment);
  return refund;
}

/** A refund made in the provider's own dashboard. It is completed at once. */
export function refundNow(
  context: SandboxContext,
  payment: Payment,
  amountKobo: number | undefined,
): Refund | RefundRefusal {
  const refusal = refuse(payment, amountKobo);
  if (refusal) return refusal;
  const done = { status: 'completed', ending: 'completed', dueAt: null } as const;
  const refund = addRefund(context, payment, { amountKobo }, done);
  settleRefund(context, refund);
  return refund;
}

function refuse(payment: Payment, amountKobo: number | undefined): RefundRefusal | undefined {
  if (payment.paidKobo === null) return 'unpaid';
  const leftKobo = refundableKobo(payment);
  if (leftKobo <= 0) return 'reversed';
  return amountKobo !== undefined && amountKobo > leftKobo ? 'too much' : undefined;
}

/** What is left of a payment's money: paid, and neither sent back nor on its way. */
export function refundableKobo(payment: Payment): number {
  return (payment.paidKobo ?? 0) - payment.reversedKobo - payment.reversingKobo;
}

function addRefund(
  context: SandboxContext,
  payment: Payment,
  { amountKobo, reference, customerNote, merchantNote }: RefundOrder,
  state: Pick<Refund, 'status' | 'ending' | 'dueAt'>,
): Refund {
  const { store, now } = context;
  const account = accountOf(store, payment);
  count(context, account, 'refunds');
  return store.refund.add({
    ...{ accountId: account.id, paymentId: payment.id, reference: reference ?? null },
    amountKobo: amountKobo ?? refundableKobo(payment),
    ...{ customerNote: customerNote ?? null, merchantNote: merchantNote ?? null },
    ...{ createdAt: now(), updatedAt: now(), ...state },
  });
}

/** Moves every refund whose time has come, as many steps as are due. */
export function advanceRefunds(context: SandboxContext): void {
  const { store, now } = context;
  for (const refund of store.refund.find('due').reverse())
    while (refund.dueAt !== null && refund.dueAt <= now()) {
      const { status, ending, dueAt } = refund;
      store.refund.change(refund, {
        status: status === 'pending' ? 'processing' : ending,
        dueAt: status === 'pending' ? new Date(dueAt.getTime() + STEP_MS) : null,
        updatedAt: now(),
      });
      settleRefund(context, refund);
    }
}

/** What follows from a refund's new state: a deduction once completed, and a notification. */
function settleRefund(context: SandboxContext, refund: Refund): void {
  const { store, providers } = context;
  const payment = store.payment.get(refund.paymentId)!;
  const { refundsFromWallet } = providers[accountOf(store, refund).provider];
  if (refund.status === 'completed')
    deduct(context, payment, {
      ...{ amountKobo: refund.amountKobo, refundId: refund.id },
      ...(refundsFromWallet && { settlementId: WALLET }),
    });
  restate(store, payment);
  notifyOf(context, { payment, refund });
}

/** The newest completed refund fails after all; undefined: none, or a settlement deducted it. */
export function failCompletedRefund(context: SandboxContext, payment: Payment): Refund | undefined {
  const { store, now } = context;
  const refund = refundsOf(store, payment).find(({ status }) => status === 'completed');
  const deduction = deductionsOf(store, payment).find(({ refundId }) => refundId === refund?.id);
  if (!refund || !deduction || (deduction.settlementId ?? WALLET) !== WALLET) return undefined;
  store.deduction.remove(deduction);
  store.refund.change(refund, { status: 'failed', updatedAt: now() });
  settleRefund(context, refund);
  return refund;
}

/** The provider takes back all that is left of a payment; returns how much. */
export function reversePayment(
  context: SandboxContext,
  payment: Payment,
): number | Exclude<RefundRefusal, 'too much'> {
  const amountKobo = refundableKobo(payment);
  if (payment.paidKobo === null) return 'unpaid';
  if (amountKobo <= 0) return 'reversed';
  deduct(context, payment, { amountKobo });
  restate(context.store, payment);
  return amountKobo;
}

type Reason = Pick<Deduction, 'amountKobo'> &
  Partial<Pick<Deduction, 'refundId' | 'disputeId' | 'settlementId'>>;

/** Records money the merchant owes back, to be taken from a later settlement. */
export function deduct({ store, now }: SandboxContext, payment: Payment, reason: Reason): void {
  const { accountId, id: paymentId } = payment;
  const unexplained = { refundId: null, disputeId: null, settlementId: null };
  store.deduction.add({ ...unexplained, accountId, paymentId, ...reason, createdAt: now() });
}

/** Adds up what became of a payment's money. */
export function restate(store: Store, payment: Payment): void {
  if (!isPaid(payment)) return;
  const refunds = refundsOf(store, payment);
  const deductions = deductionsOf(store, payment);
  const reversedKobo = sum(deductions);
  const takenKobo = sum(deductions.filter(({ refundId, disputeId }) => !refundId && !disputeId));
  const reversingKobo = sum(refunds.filter(({ status }) => !/^(completed|failed)$/.test(status)));
  const refundedKobo = sum(refunds.filter(({ status }) => status === 'completed')) + takenKobo;
  const sums = { reversedKobo, takenKobo, reversingKobo, refundedKobo };
  const paidKobo = payment.paidKobo ?? 0;
  const isReversing = reversedKobo + reversingKobo >= paidKobo;
  const status = reversedKobo >= paidKobo ? 'reversed' : isReversing ? 'reversing' : 'paid';
  store.payment.change(payment, { status, ...sums });
}

const refundsOf = (store: Store, { id }: Payment): Refund[] => store.refund.find(`payment ${id}`);

const deductionsOf = (store: Store, { id }: Payment) => store.deduction.find(`payment ${id}`);

export function sum(amounts: { amountKobo: number }[]): number {
  return amounts.reduce((total, { amountKobo }) => total + amountKobo, 0);
}

export function findRefund(store: Store, { id: accountId }: Account, id = 0) {
  const refund = store.refund.get(id);
  return refund?.accountId === accountId ? refund : undefined;
}

export function findRefundByReference(store: Store, { id }: Account, reference: string) {
  return store.refund.find(`reference ${reference}`).find(({ accountId }) => accountId === id);
}
