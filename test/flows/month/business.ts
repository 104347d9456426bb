import { newCharge } from '../../support/charges.ts';
import { SECOND } from '../../support/clock.ts';
import { disputeByHand } from '../../support/provider-account.ts';
import { approvedRefund } from '../../support/refunds.ts';
import type { Stack } from '../../support/stack.ts';
import { feesOf, type MonthAccount, type Name, type Sale } from './account.ts';

/** The channel of a sale: at each provider one a day is paid by transfer, one otherwise. */
const channelOf = (day: number, nth: number): string =>
  nth === TRANSFER ? 'bank_transfer' : day % 2 === 0 ? 'card' : 'ussd';

function amountOf(day: number, nth: number): number {
  return (
    35_000 +
    ((day * 31 + nth * 17) % 23) * 123_457 +
    (nth % 3 === 2 ? 14_000_000 : 0) +
    day * 101 +
    nth
  );
}

/** Sales that are paid at each provider on a business day. One more, at each in turn, is not. */
const PAID_A_DAY = 2;
const TRANSFER = 1;

/** Makes the sales of a day; `withoutNotification`: the provider that is silent about one. */
export async function makeSales(
  stack: Stack,
  accounts: readonly MonthAccount[],
  day: number,
  withoutNotification?: Name,
): Promise<void> {
  const made = await Promise.all(
    accounts.flatMap((account, at) => {
      const count = day % accounts.length === at ? PAID_A_DAY + 1 : PAID_A_DAY;
      return Array.from({ length: count }, (_, nth) => open(stack, account, day, at, nth));
    }),
  );
  for (const { account, sale } of made) account.sales.push(sale);
  await stack.settle();
  const paid = made.filter(({ nth }) => nth < PAID_A_DAY);
  await Promise.all(
    paid.map(({ account, sale, nth }) =>
      stack.control.pay(sale.reference, {
        channel: sale.channel,
        notify: account.name !== withoutNotification || nth !== TRANSFER,
      }),
    ),
  );
  await stack.settle();
  const fees = feesOf(
    stack,
    paid.map(({ sale }) => sale.reference),
  );
  for (const { sale } of paid)
    Object.assign(sale, { paidOn: day, feeKobo: fees.get(sale.reference)! });
}

async function open(stack: Stack, account: MonthAccount, day: number, at: number, nth: number) {
  const amountKobo = amountOf(day, at * 7 + nth);
  const { reference } = await newCharge(stack, {
    provider: account.slot,
    amount_kobo: amountKobo,
    email: `payer-${day}-${at}-${nth}@example.com`,
  });
  const sale: Sale = {
    ...{ reference, amountKobo, channel: channelOf(day, nth), madeOn: day, paidOn: null },
    ...{ feeKobo: 0, became: null, isPaidOut: false, isHeldBack: false, isForgotten: false },
  };
  return { account, sale, nth };
}

export function saleOf(
  { name, sales }: MonthAccount,
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

export async function refund(stack: Stack, account: MonthAccount, sale: Sale, amountKobo?: number) {
  await approvedRefund(stack, sale, amountKobo);
  await stack.settle();
  await passSeconds(stack);
  // Monnify takes refunds out of a wallet.
  if (account.name !== 'monnify') account.owedKobo += amountKobo ?? sale.amountKobo;
  if (amountKobo === undefined) sale.became = 'refunded';
}

export async function refundInDashboard(
  stack: Stack,
  account: MonthAccount,
  sale: Sale,
  amountKobo: number,
): Promise<void> {
  await stack.control.refundNow(sale.reference, amountKobo);
  await passSeconds(stack);
  if (account.name !== 'monnify') account.owedKobo += amountKobo;
}

/** Disputes a sale, or decides the dispute. Monnify notifies of it by e-mail. */
export async function dispute(
  stack: Stack,
  account: MonthAccount,
  sale: Sale,
  outcome?: 'won' | 'lost',
): Promise<void> {
  await stack.control.dispute(sale.reference, outcome);
  if (account.name === 'monnify') await disputeByHand(stack, sale, outcome ?? 'open');
  await passSeconds(stack);
  sale.became = outcome === 'won' ? null : outcome === 'lost' ? 'refunded' : 'disputed';
  if (outcome === 'lost') account.owedKobo += sale.amountKobo;
}

export async function payUnknownReference(
  { control }: Stack,
  account: MonthAccount,
  reference: string,
  amountKobo: number,
): Promise<void> {
  const payment = { provider: account.name, reference, amount_kobo: amountKobo };
  await control.stranger(account.accountId, payment);
  account.unknownPayments++;
}

export async function forget({ control }: Stack, sale: Sale): Promise<void> {
  await control.forget(sale.reference);
  sale.isForgotten = true;
}

async function passSeconds(stack: Stack): Promise<void> {
  for (let step = 0; step < 2; step++) await stack.pass(3 * SECOND);
}
