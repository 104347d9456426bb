import { requestCancel } from '../../../domain/payments/commands/cancel-charge.ts';
import { inLagos } from '../../../domain/shared/lagos.ts';
import type { Slot } from '../../../domain/shared/slot.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/shared/units.ts';
import type { Business } from './business.ts';
import { channelOf, orderOf, slotOf } from './customers.ts';
import type { Past } from './past.ts';
import { decline, type Order, openSale, pay, type Sale, verify } from './sale.ts';

/** The sales of a weekday, at least and at most; on a Saturday and Sunday about half of them. */
const SALES = { least: 5, most: 9 };
const OPENS_AT_HOUR = 8;
const OPEN_HOURS = 13;

/** How an everyday sale ends, and how many of a hundred do. The others are paid. */
const ENDINGS = [
  { share: 5, end: declineSale },
  { share: 6, end: abandonSale },
  { share: 2, end: cancelSale },
];

/** Puts a day's sales on the agenda. `midnight` is in Lagos. */
export function planSales(past: Past, business: Business, midnight: Date, day: number): void {
  const { dice, agenda } = past;
  const sales = Math.round(
    dice.between(SALES.least, SALES.most) * (inLagos(midnight).isWeekend ? 0.5 : 1),
  );
  for (let n = 0; n < sales; n++) {
    const hour = OPENS_AT_HOUR + dice.next() * OPEN_HOURS;
    const at = new Date(midnight.getTime() + Math.round(hour * HOUR_MS));
    const wanted = orderOf(dice, slotOf(dice), FIRST_ORDER + day * 20 + n);
    const ending = dice.next() * 100;
    agenda.add(at, () => sell(past, business, wanted, ending));
  }
}

const FIRST_ORDER = 4_100;

async function sell(past: Past, business: Business, wanted: Order, ending: number): Promise<void> {
  const sale = await openSale(past, business, wanted);
  let share = 0;
  for (const { share: own, end } of ENDINGS) {
    share += own;
    if (ending < share) return end(past, sale, business);
  }
  const channel = channelOf(past.dice, sale.slot);
  later(past, past.dice.between(1, 9) * MINUTE_MS, () => pay(past, sale, { channel }));
}

const REASONS = ['Insufficient Funds', 'Incorrect PIN', 'Transaction not permitted to cardholder'];

/** Where a decline is not final at the provider, the payer tries again and pays. */
function declineSale(past: Past, sale: Sale): void {
  const reason = past.dice.oneOf(REASONS);
  const channel = 'card';
  later(past, 2 * MINUTE_MS, () => decline(past, sale, { channel, reason }));
  if (!isFinal[sale.slot]) later(past, 4 * MINUTE_MS, () => pay(past, sale, { channel }));
}

const isFinal: Record<Slot, boolean> = { provider_a: true, provider_b: false, provider_c: true };

/** The payer never pays: the charge expires, once its provider answered. */
export function abandonSale(past: Past, sale: Sale): void {
  const { chargeLifetimeMs } = past.context.env;
  later(past, chargeLifetimeMs, () => verify(past, sale));
}

function cancelSale(past: Past, sale: Sale, { developer }: Business): void {
  later(past, 25 * MINUTE_MS, async () => {
    await past.tx((tx) => requestCancel(tx, developer, sale.chargeId));
    past.pass(8_000);
    await verify(past, sale);
  });
}

export function later({ agenda, now }: Past, ms: number, step: () => Promise<unknown>): void {
  agenda.add(new Date(now().getTime() + ms), step);
}
