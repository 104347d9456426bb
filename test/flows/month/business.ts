import { enterDispute } from '../../../domain/payments/dispute/enter.ts';
import { newCharge } from '../../support/charges.ts';
import { SECOND } from '../../support/clock.ts';
import { approvedRefund } from '../../support/refunds.ts';
import type { Stack } from '../../support/stack.ts';
import { type Counter, feesOf, type Name, type Sale } from './account.ts';

/** What the sales of a day are paid by: one of each provider by transfer, one otherwise. */
const channelOf = (day: number, nth: number): string =>
  nth === TRANSFER ? 'bank_transfer' : day % 2 === 0 ? 'card' : 'ussd';

/** From a few hundred naira to some hundred thousand, no two alike. */
function amountOf(day: number, nth: number): number {
  return (
    35_000 +
    ((day * 31 + nth * 17) % 23) * 123_457 +
    (nth % 3 === 2 ? 14_000_000 : 0) +
    day * 101 +
    nth
  );
}

/** How many are paid at each provider on a day of business; one more a day is not, in turn at each. */
const PAID_A_DAY = 2;
const TRANSFER = 1;

/** A day of business: several charges at each provider, all but one of them paid. `silent`: the one of it nobody is told of. */
export async function sell(
  stack: Stack,
  counters: readonly Counter[],
  day: number,
  silent?: Name,
): Promise<void> {
  const made = await Promise.all(
    counters.flatMap((counter, at) => {
      const count = day % counters.length === at ? PAID_A_DAY + 1 : PAID_A_DAY;
      return Array.from({ length: count }, (_, nth) => open(stack, counter, day, at, nth));
    }),
  );
  for (const { counter, sale } of made) counter.sales.push(sale);
  await stack.settle();
  const paid = made.filter(({ nth }) => nth < PAID_A_DAY);
  await Promise.all(
    paid.map(({ counter, sale, nth }) =>
      stack.control.pay(sale.reference, {
        channel: sale.channel,
        notify: counter.name !== silent || nth !== TRANSFER,
      }),
    ),
  );
  await stack.settle();
  const fees = await feesOf(
    stack,
    paid.map(({ sale }) => sale.reference),
  );
  for (const { sale } of paid)
    Object.assign(sale, { paidOn: day, feeKobo: fees.get(sale.reference)! });
}

interface Opened {
  counter: Counter;
  sale: Sale;
  nth: number;
}

async function open(
  stack: Stack,
  counter: Counter,
  day: number,
  at: number,
  nth: number,
): Promise<Opened> {
  const amountKobo = amountOf(day, at * 7 + nth);
  const { reference } = await newCharge(stack, {
    provider: counter.slot,
    amount_kobo: amountKobo,
    email: `payer-${day}-${at}-${nth}@example.com`,
  });
  const sale: Sale = {
    ...{
      reference,
      amountKobo,
      channel: channelOf(day, nth),
      madeOn: day,
      paidOn: null,
      feeKobo: 0,
      became: null,
    },
    ...{ isPaidOut: false, isHeldBack: false, isForgotten: false },
  };
  return { counter, sale, nth };
}

/** A sale of a day that nothing else was done with; by transfer where it must be. */
export function saleOf(
  { name, sales }: Counter,
  day: number,
  { transfer = name === 'monnify' } = {},
): Sale {
  return sales.find(
    ({ paidOn, channel, became, isHeldBack, isForgotten }) =>
      paidOn === day &&
      became === null &&
      !isHeldBack &&
      !isForgotten &&
      (channel === 'bank_transfer') === transfer,
  )!;
}

/** A refund is requested, approved and done; `amountKobo` left out: all of the sale. */
export async function refund(
  stack: Stack,
  counter: Counter,
  sale: Sale,
  amountKobo?: number,
): Promise<void> {
  await approvedRefund(stack, sale, amountKobo);
  await stack.settle();
  await moments(stack);
  // Monnify takes refunds out of a wallet.
  if (counter.name !== 'monnify') counter.owedKobo += amountKobo ?? sale.amountKobo;
  if (amountKobo === undefined) sale.became = 'refunded';
}

/** Somebody refunds in the provider's own dashboard. */
export async function refundInDashboard(
  stack: Stack,
  counter: Counter,
  sale: Sale,
  amountKobo: number,
): Promise<void> {
  await stack.control.refundNow(sale.reference, amountKobo);
  await moments(stack);
  if (counter.name !== 'monnify') counter.owedKobo += amountKobo;
}

/** The payer's bank disputes a sale, or decides. Monnify tells of it by e-mail. */
export async function dispute(
  stack: Stack,
  counter: Counter,
  sale: Sale,
  outcome?: 'won' | 'lost',
): Promise<void> {
  const { control, context } = stack;
  await control.dispute(sale.reference, outcome);
  if (counter.name === 'monnify') {
    const entered = {
      chargeNumber: Number(sale.reference.slice(3)),
      state: outcome ?? 'open',
      amountKobo: null,
      note: null,
    } as const;
    await context.inTx(async (tx) => (await enterDispute(tx, entered)).jobs);
  }
  await moments(stack);
  sale.became = outcome === 'won' ? null : outcome === 'lost' ? 'refunded' : 'disputed';
  if (outcome === 'lost') counter.owedKobo += sale.amountKobo;
}

/** Money under a reference of our form that nobody here asked for. */
export async function pocket(
  { control }: Stack,
  counter: Counter,
  reference: string,
  amountKobo: number,
): Promise<void> {
  await control.stranger(counter.accountId, {
    provider: counter.name,
    reference,
    amount_kobo: amountKobo,
  });
  counter.strays++;
}

/** The provider loses a sale. */
export async function forget({ control }: Stack, sale: Sale): Promise<void> {
  await control.forget(sale.reference);
  sale.isForgotten = true;
}

/** What a provider does a second later is done, and told of. */
async function moments({ clock, sandbox, settle }: Stack): Promise<void> {
  for (let step = 0; step < 2; step++) {
    clock.advance(3 * SECOND);
    await sandbox.tick();
    await settle();
  }
}
