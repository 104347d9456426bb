import { accountOf } from './accounts.ts';
import type { SandboxContext } from './context.ts';
import { notify } from './notifications.ts';
import { findPaymentById } from './payments.ts';
import { deduct, refundableKobo } from './refunds.ts';

export type ReversalRefusal = 'unpaid' | 'reversed';

/**
 * The provider takes back all that is left of a payment, without a refund and without a dispute,
 * and notifies of the payment again unless `isNotified` is false. Returns how much it took.
 */
export async function reversePayment(
  context: SandboxContext,
  paymentId: number,
  isNotified: boolean,
): Promise<number | ReversalRefusal> {
  const result = await context.sql.transaction(async (tx) => {
    await tx.query('select 1 from sandbox.payment where id = $1 for no key update', [paymentId]);
    const payment = (await findPaymentById(tx, paymentId))!;
    const amountKobo = refundableKobo(payment);
    if (payment.paidKobo === null) return 'unpaid';
    if (amountKobo <= 0) return 'reversed';
    const account = await accountOf(tx, payment);
    await deduct(tx, { accountId: account.id, paymentId, amountKobo }, context.now());
    const reversed = (await findPaymentById(tx, paymentId))!;
    const { notifications } = context.providers[account.provider];
    if (isNotified) await notify(tx, context, account, notifications.payment(account, reversed));
    return amountKobo;
  });
  context.notifier.sendDue();
  return result;
}
