import type { Slot } from '../../../domain/shared/slot.ts';
import type { Channel } from '../../sandbox/records.ts';
import type { Dice } from './random.ts';
import type { Order } from './sale.ts';

const CUSTOMERS = [
  ...['Adaeze Okafor', 'Bolanle Adeyemi', 'Chinedu Nwosu', 'Damilola Ogunleye', 'Emeka Obi'],
  ...['Fatima Bello', 'Gbenga Afolabi', 'Halima Sani', 'Ifeoma Umeh', 'Jide Fashola'],
  ...['Kehinde Balogun', 'Lola Akinwande', 'Musa Danjuma', 'Nkechi Eze', 'Obinna Okonkwo'],
  ...['Patience Etim', 'Rasheed Lawal', 'Simisola Coker', 'Tari Ebiere', 'Uche Anyanwu'],
  ...['Victor Ekong', 'Wuraola Bakare', 'Yetunde Alabi', 'Zainab Yusuf', 'Amaka Ibe'],
  ...['Babatunde Ojo', 'Comfort Akpan', 'Daniel Ighodaro', 'Esther Gyang', 'Folake Sowande'],
];

const PRODUCTS: readonly [description: string, naira: number][] = [
  ...([
    ['Ankara fabric, 6 yards', 18_500],
    ['Adire kimono', 32_000],
    ['Leather sandals', 14_750],
    ['Aso oke set', 96_000],
    ['Beaded necklace', 8_900],
  ] as const),
  ...([
    ['Shea butter, 1 kg', 6_400],
    ['Woven basket, large', 11_200],
    ['Senator suit', 57_500],
    ['Bronze figure', 124_000],
    ['Gift box', 22_300],
  ] as const),
].map(([description, naira]) => [description, naira]);

const KOBO = 100;
const MOST_PIECES = 3;

export function orderOf(dice: Dice, slot: Slot, number: number): Order {
  const name = dice.oneOf(CUSTOMERS);
  const [product, naira] = dice.oneOf(PRODUCTS);
  const pieces = dice.next() < 0.7 ? 1 : dice.between(2, MOST_PIECES);
  return {
    ...{ slot, name, email: emailOf(name), phone: phoneOf(name) },
    amount_kobo: naira * pieces * KOBO,
    description: pieces === 1 ? product : `${product} × ${pieces}`,
    merchant_reference: `ORD-${number}`,
  };
}

function emailOf(name: string): string {
  return `${name.toLowerCase().replace(' ', '.')}@example.com`;
}

const PREFIXES = ['803', '805', '813', '816', '902'];

function phoneOf(name: string): string {
  const at = CUSTOMERS.indexOf(name);
  return `+234${PREFIXES[at % PREFIXES.length]}${String(5_550_100 + at)}`;
}

/** How customers pay: the more often a channel stands here, the more often it is used. */
const CHANNELS: Record<Slot, readonly Channel[]> = {
  provider_a: ['card', 'card', 'card', 'card', 'bank_transfer', 'ussd', 'qr'],
  provider_b: ['card', 'card', 'bank_transfer', 'bank_transfer', 'ussd', 'mobile_money'],
  provider_c: ['bank_transfer', 'bank_transfer', 'bank_transfer', 'card', 'ussd'],
};

export function channelOf(dice: Dice, slot: Slot): Channel {
  return dice.oneOf(CHANNELS[slot]);
}

const SHARES: readonly Slot[] = [
  ...(['provider_a', 'provider_a', 'provider_a', 'provider_a', 'provider_a'] as const),
  ...(['provider_b', 'provider_b', 'provider_b', 'provider_c', 'provider_c'] as const),
];

export function slotOf(dice: Dice): Slot {
  return dice.oneOf(SHARES);
}
