import { accountOf } from './accounts.ts';
import { notify } from './notifications.ts';
import type { Payment } from './records.ts';
import type { World } from './world.ts';

/** The provider sends a transfer of the wrong amount back and tells the merchant. Nothing becomes of the payment. False where the provider
 *  keeps such transfers. */
export async function rejectTransfer(
  world: World,
  payment: Payment,
  amountKobo: number,
  told: boolean,
): Promise<boolean> {
  const account = await accountOf(world.sql, payment);
  const message = world.providers[account.provider].notices.rejection;
  if (message && told)
    await notify(world.sql, world, account, message(account, payment, amountKobo));
  world.wake();
  return message !== undefined;
}
