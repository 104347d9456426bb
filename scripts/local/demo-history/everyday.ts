import { requestCancel } from '../../../domain/payments/commands/cancel-charge.ts';
import { inLagos } from '../../../domain/shared/lagos.ts';
import type { Slot } from '../../../domain/shared/slot.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/shared/units.ts';
import type { Channel } from '../../sandbox/records.ts';
import type { Dice } from './random.ts';
import { type Order, openSale, pay, type Sale, verify } from './sale.ts';
import type { Story } from './story.ts';

/** The sales of a weekday, at least and at most; on a Saturday and Sunday about half of them. */
const SALES = { least: 5, most: 9 };
const OPENS_AT_HOUR = 8;
const OPEN_HOURS = 13;
const FIRST_ORDER = 4_100;

/** Plans a day's sales. `midnight` is in Lagos. */
export function planSales(story: Story, midnight: Date, day: number): void {
  const { dice, plan } = story;
  const share = inLagos(midnight).isWeekend ? 0.5 : 1;
  const sales = Math.round(dice.between(SALES.least, SALES.most) * share);
  for (let n = 0; n < sales; n++) {
    const hour = OPENS_AT_HOUR + dice.next() * OPEN_HOURS;
    const at = new Date(midnight.getTime() + Math.round(hour * HOUR_MS));
    const wanted = orderOf(dice, dice.oneOf(SLOTS), FIRST_ORDER + day * 20 + n);
    const ending = dice.next() * 100;
    plan(at, () => sell(story, wanted, ending));
  }
}

/**
 * `ending` is from 0 to 100: of a hundred sales 5 are declined, 6 abandoned and 2 cancelled; the
 * others are paid within ten minutes.
 */
export async function sell(story: Story, wanted: Order, ending: number): Promise<void> {
  const { dice, later } = story;
  const sale = await openSale(story, wanted);
  if (ending < 5) return declineSale(story, sale);
  if (ending < 11) return abandonSale(story, sale);
  if (ending < 13) return cancelSale(story, sale);
  const channel = dice.oneOf(CHANNELS[sale.slot]);
  later(dice.between(1, 9) * MINUTE_MS, () => pay(story, sale, { channel }));
}

const REASONS = ['Insufficient Funds', 'Incorrect PIN', 'Transaction not permitted to cardholder'];

/** Where a decline is not final, as at the second provider, the payer tries again and pays. */
function declineSale(story: Story, sale: Sale): void {
  const reason = story.dice.oneOf(REASONS);
  const declined = { outcome: 'failed', channel: 'card', reason } as const;
  story.later(2 * MINUTE_MS, () => pay(story, sale, declined));
  if (sale.slot === 'provider_b')
    story.later(4 * MINUTE_MS, () => pay(story, sale, { channel: 'card' }));
}

/** The payer never pays: the charge expires, once its provider answered. */
export function abandonSale(story: Story, sale: Sale): void {
  story.later(story.context.env.chargeLifetimeMs, () => verify(story, sale));
}

function cancelSale(story: Story, sale: Sale): void {
  story.later(25 * MINUTE_MS, async () => {
    await story.tx((tx) => requestCancel(tx, story.developer, sale.chargeId));
    story.pass(8_000);
    await verify(story, sale);
  });
}

const CUSTOMERS = [
  ...['Adaeze Okafor', 'Bolanle Adeyemi', 'Chinedu Nwosu', 'Damilola Ogunleye', 'Emeka Obi'],
  ...['Fatima Bello', 'Gbenga Afolabi', 'Halima Sani', 'Ifeoma Umeh', 'Jide Fashola'],
  ...['Kehinde Balogun', 'Lola Akinwande', 'Musa Danjuma', 'Nkechi Eze', 'Obinna Okonkwo'],
  ...['Patience Etim', 'Rasheed Lawal', 'Simisola Coker', 'Tari Ebiere', 'Uche Anyanwu'],
];
const PRODUCTS_NAIRA = Object.entries({
  ...{ 'Ankara fabric, 6 yards': 18_500, 'Adire kimono': 32_000, 'Leather sandals': 14_750 },
  ...{ 'Aso oke set': 96_000, 'Beaded necklace': 8_900, 'Shea butter, 1 kg': 6_400 },
  ...{ 'Woven basket, large': 11_200, 'Senator suit': 57_500, 'Bronze figure': 124_000 },
});

export function orderOf(dice: Dice, slot: Slot, number: number): Order {
  const name = dice.oneOf(CUSTOMERS);
  const [product, naira] = dice.oneOf(PRODUCTS_NAIRA);
  const pieces = dice.next() < 0.7 ? 1 : dice.between(2, 3);
  return {
    ...{ slot, name, email: `${name.toLowerCase().replace(' ', '.')}@example.com` },
    phone: `+234803${5_550_100 + CUSTOMERS.indexOf(name)}`,
    amount_kobo: naira * pieces * 100,
    description: pieces === 1 ? product : `${product} × ${pieces}`,
    merchant_reference: `ORD-${number}`,
  };
}

/** How customers pay: the more often a channel stands here, the more often it is used. */
const CHANNELS: Record<Slot, readonly Channel[]> = {
  provider_a: ['card', 'card', 'card', 'card', 'bank_transfer', 'ussd', 'qr'],
  provider_b: ['card', 'card', 'bank_transfer', 'bank_transfer', 'ussd', 'mobile_money'],
  provider_c: ['bank_transfer', 'bank_transfer', 'bank_transfer', 'card', 'ussd'],
};
const SLOTS: readonly Slot[] = [
  ...(['provider_a', 'provider_a', 'provider_a', 'provider_a', 'provider_a'] as const),
  ...(['provider_b', 'provider_b', 'provider_b', 'provider_c', 'provider_c'] as const),
];
