import { accountOf } from './accounts.ts';
import type { SandboxContext } from './context.ts';
import { notify } from './notifications.ts';
import type { Payment } from './records.ts';

/**
 * The provider sends a transfer of the wrong amount back and notifies the merchant. The payment
 * stays as it is. False where the  provider keeps such transfers.
 */
export async function rejectTransfer(
  context: SandboxContext,
  payment: Payment,
  amountKobo: number,
  shouldNotify: boolean,
): Promise<boolean> {
  const account = await accountOf(context.sql, payment);
  const message = context.providers[account.provider].notifications.rejection;
  if (message && shouldNotify)
    await notify(context.sql, context, account, message(account, payment, amountKobo));
  context.notifier.sendDue();
  return message !== undefined;
}
