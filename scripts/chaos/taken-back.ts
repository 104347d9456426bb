import { setTimeout as pause } from 'node:timers/promises';
import type { Dice } from '../local/demo-history/random.ts';
import { control } from './control.ts';
import type { Market } from './market.ts';

/** How often a merchant looks whether the payment was announced. */
const LOOKS_EVERY_MS = 500;

/** Waits until the merchant was told that the charge is paid. False: it was not until the end. */
export async function untilAnnounced(
  { merchants, ended }: Market,
  reference: string,
): Promise<boolean> {
  while (!merchants.paid.has(reference)) {
    if (ended.aborted) return false;
    await pause(LOOKS_EVERY_MS);
  }
  return true;
}

/** The provider takes the payment back by itself, and mostly says so. */
export async function reversePayment(market: Market, reference: string, dice: Dice): Promise<void> {
  await control(market, 'reverse', { reference, notify: dice.between(1, 4) > 1 });
}

/** The customer's bank asks for the money, or a part, and mostly decides about it soon. */
export async function disputePayment(market: Market, reference: string, dice: Dice): Promise<void> {
  const part = dice.oneOf([{}, { amount_kobo: 20_000 }]);
  const outcome = dice.oneOf(['won', 'lost', undefined] as const);
  await control(market, 'dispute', { reference, ...part });
  if (!outcome) return;
  await pause(dice.between(200, 4_000));
  await control(market, 'dispute', { reference, outcome });
}
