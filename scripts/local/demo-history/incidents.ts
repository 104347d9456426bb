import { acceptOrReturnReview } from '../../../domain/payments/commands/accept-or-return-review.ts';
import { Charge } from '../../../domain/payments/entities/charge.ts';
import { Review } from '../../../domain/payments/entities/review.ts';
import type { Slot } from '../../../domain/shared/slot.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/shared/units.ts';
import type { RefundEnding } from '../../sandbox/records.ts';
import type { Business } from './business.ts';
import { orderOf } from './customers.ts';
import { dispute } from './disputes.ts';
import { abandonSale, later } from './everyday.ts';
import type { Past } from './past.ts';
import {
  approve,
  execute,
  reject,
  request,
  sendRefund,
  sendSlowRefund,
  type Wish,
} from './refunds.ts';
import { openSale, pay, type Sale } from './sale.ts';

/** A moment so many days before today, at an hour in Lagos. */
type At = (daysAgo: number, hour: number) => Date;

/** Puts on the agenda what a business has to deal with besides its sales. */
export function planIncidents(past: Past, business: Business, at: At): void {
  const { agenda } = past;
  let number = 3_800;
  const sold = (daysAgo: number, slot: Slot, then: (sale: Sale) => unknown) =>
    agenda.add(at(daysAgo, 9.5), async () => {
      const sale = await openSale(past, business, orderOf(past.dice, slot, ++number));
      past.pass(4 * MINUTE_MS);
      await pay(past, sale, { channel: slot === 'provider_c' ? 'bank_transfer' : 'card' });
      await then(sale);
    });
  planRefunds(past, business, sold);
  planDisputes(past, business, sold);
  planOddPayments(past, business, at);
}

type Sold = (daysAgo: number, slot: Slot, then: (sale: Sale) => unknown) => void;

type Then = (past: Past, business: Business, sale: Sale, id: string) => Promise<unknown>;

const sent =
  (ending?: RefundEnding): Then =>
  async (past, business, sale, id) => {
    past.pass(35 * MINUTE_MS);
    await approve(past, business, id);
    await sendRefund(past, business, sale, id, ending);
  };

const sentSlowly: Then = async (past, business, _sale, id) => {
  await approve(past, business, id);
  await sendSlowRefund(past, id, new Date(past.now().getTime() + 4 * DAY_MS));
};

const rejected: Then = async (past, business, _sale, id) => {
  past.pass(2 * HOUR_MS);
  await reject(past, business, id, 'Cut to size on request, which cannot be returned.');
};

/** It waits for the Owner. */
const waits: Then = async () => {};

/** Sold so many days ago, and requested so long after that; some ask for a part of it. */
const refunds: readonly [
  daysAgo: number,
  slot: Slot,
  afterMs: number,
  then: Then,
  reason: string,
  isPart?: 'part',
][] = [
  [26, 'provider_a', DAY_MS, sent(), 'The customer returned the parcel unopened.'],
  [23, 'provider_c', DAY_MS, sent(), 'One piece was missing from the parcel.', 'part'],
  [19, 'provider_b', DAY_MS, sent(), 'Ordered twice by mistake.'],
  [16, 'provider_a', DAY_MS, sent(), 'The colour differs: a quarter back as agreed.', 'part'],
  [11, 'provider_c', DAY_MS, sent(), 'Out of stock after payment.'],
  [6, 'provider_b', DAY_MS, sent(), 'It took nine days: the delivery fee goes back.', 'part'],
  [13, 'provider_a', 2 * DAY_MS, sent('failed'), 'Wrong size, the parcel came back.'],
  [9, 'provider_a', DAY_MS, sent('needs-attention'), 'The customer cancelled before dispatch.'],
  [8, 'provider_b', 3 * HOUR_MS, rejected, 'She no longer likes the pattern.'],
  [3, 'provider_b', 2 * DAY_MS, sentSlowly, 'The parcel was lost by the courier.'],
  [4, 'provider_a', 3.27 * DAY_MS, waits, 'It arrived damaged; the photos are in ticket 2291.'],
  [2, 'provider_c', 1.13 * DAY_MS, waits, 'A colleague had paid for the order already.'],
  [3, 'provider_b', 2.2 * DAY_MS, waits, 'A part of the order was out of stock.', 'part'],
];

const PART = 0.25;

function planRefunds(past: Past, business: Business, sold: Sold): void {
  for (const [daysAgo, slot, afterMs, then, reason, isPart] of refunds)
    sold(daysAgo, slot, (sale) =>
      later(past, afterMs, async () => {
        const wish = await wishOf(past, sale, reason, isPart === 'part');
        const id = await request(past, business.support, sale, wish);
        await then(past, business, sale, id);
      }),
    );
}

async function wishOf({ tx }: Past, sale: Sale, reason: string, isPart: boolean): Promise<Wish> {
  if (!isPart) return { reason };
  const charge = await tx(({ em }) => em.findOneOrFail(Charge, { id: sale.chargeId }));
  return { reason, amountKobo: Math.round(charge.amount_kobo * PART) };
}

function planDisputes(past: Past, business: Business, sold: Sold): void {
  const { support } = business;
  sold(21, 'provider_a', (sale) => {
    later(past, 5 * DAY_MS, () => dispute(past, business, sale));
    later(past, 12 * DAY_MS, () => dispute(past, business, sale, 'won'));
  });
  sold(18, 'provider_b', (sale) => {
    const reason = 'The customer does not recognise the payment.';
    later(past, 3 * DAY_MS, () => request(past, support, sale, { reason }));
    later(past, 4 * DAY_MS, () => dispute(past, business, sale));
    later(past, 10 * DAY_MS, () => dispute(past, business, sale, 'lost'));
  });
  // Its refund was approved when the dispute came: it waits until the bank has decided.
  sold(7, 'provider_a', (sale) =>
    later(past, 5 * DAY_MS, async () => {
      const reason = 'Delivered to the wrong address; the customer bought elsewhere.';
      const id = await request(past, support, sale, { reason });
      past.pass(20 * MINUTE_MS);
      await approve(past, business, id);
      await dispute(past, business, sale);
      await execute(past, id);
    }),
  );
}

/** Payments that came too late, or with another amount than was asked for. */
function planOddPayments(past: Past, business: Business, at: At): void {
  const { agenda, dice } = past;
  const open = (slot: Slot, number: number) =>
    openSale(past, business, orderOf(dice, slot, number));
  agenda.add(at(10, 20), async () => {
    const sale = await open('provider_a', 3_901);
    abandonSale(past, sale);
    later(past, 37 * HOUR_MS, () => pay(past, sale, { channel: 'bank_transfer' }));
  });
  const underpaid = (daysAgo: number, slot: Slot, share: number, then?: () => Promise<void>) =>
    agenda.add(at(daysAgo, 16), async () => {
      const wanted = orderOf(dice, slot, 3_910 + daysAgo);
      const sale = await openSale(past, business, wanted);
      past.pass(6 * MINUTE_MS);
      const amountKobo = Math.round(wanted.amount_kobo * share);
      await pay(past, sale, { channel: 'bank_transfer', amountKobo });
      await then?.();
    });
  underpaid(1, 'provider_a', 0.5);
  underpaid(2, 'provider_c', 0.9);
  underpaid(14, 'provider_a', 0.95, async () => {
    past.pass(45 * MINUTE_MS);
    await acceptNewestReview(past, business);
  });
}

async function acceptNewestReview(past: Past, { tenantId, owner }: Business): Promise<void> {
  const open = { tenant_id: tenantId, status: 'open' as const };
  const review = await past.tx(({ em }) =>
    em.findOneOrFail(Review, open, { orderBy: { id: 'desc' } }),
  );
  const decided = { id: review.id, decision: 'accepted' as const, note: 'A discount, by phone.' };
  await past.tx((tx) => acceptOrReturnReview(tx, owner, decided));
}
