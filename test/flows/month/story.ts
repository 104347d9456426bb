import { expect } from 'chai';
import { memberOf } from '../../support/members.ts';
import type { Oddities, PaidOut } from '../../support/sandbox-control.ts';
import type { Stack } from '../../support/stack.ts';
import {
  feesOf,
  type MonthAccount,
  type Name,
  netOf,
  payOut,
  release,
  type Sale,
  topUp,
} from './account.ts';
import {
  dispute,
  forget,
  payUnknownReference,
  refund,
  refundInDashboard,
  saleOf,
} from './business.ts';

/** What happens in the month besides sales, by day: 0 is the first Monday. */
export interface Story {
  lastDay: number;
  afternoons: Record<number, () => Promise<void>>;
  withoutNotification: Record<number, Name>;
  payOut(name: Name, day: number): Promise<void>;
  resolved(): [kind: string, slot: string, differenceKobo: number][];
  remaining(): Promise<Record<Name, [kind: string, status: string, differenceKobo: number][]>>;
}

const TOPPED_UP_KOBO = 250_000;
const UNKNOWN_PAYMENT_KOBO = 777_700;

export function storyOf(
  stack: Stack,
  { paystack, flutterwave, monnify }: Record<Name, MonthAccount>,
): Story {
  const accounts = { paystack, flutterwave, monnify };
  const sales: Record<string, Sale> = {};
  const paidOut: Record<string, PaidOut> = {};

  const odditiesOf: Record<string, () => Oddities | Promise<Oddities>> = {
    'paystack 2': () => ({
      foreign: [
        { reference: 'INV-2041', amount_kobo: 450_000 },
        { reference: 'INV-2042', amount_kobo: 1_250_050 },
      ],
    }),
    'paystack 3': () => ({ short_by_kobo: 123_456 }),
    'flutterwave 3': () => ({ short_by_kobo: TOPPED_UP_KOBO }),
    'paystack 4': () => {
      sales.late = Object.assign(saleOf(paystack, 3), { isHeldBack: true });
      return {};
    },
    'paystack 9': () => {
      sales.late!.isHeldBack = false;
      return {};
    },
    'flutterwave 9': () => ({ status: 'failed' }),
    'flutterwave 10': async () => {
      release(stack, paidOut['flutterwave 9']!);
      return {};
    },
    'paystack 10': () => ({
      fee_off_kobo: [{ reference: saleOf(paystack, 9).reference, kobo: 1_500 }],
    }),
    'flutterwave 11': () => ({
      amount_off_kobo: [{ reference: saleOf(flutterwave, 10).reference, kobo: -50_000 }],
    }),
    'monnify 14': () => ({ notify: false }),
    'monnify 15': () => ({ foreign: [{ reference: 'POS-88', amount_kobo: 2_000_000 }] }),
    'paystack 16': () => ({
      fee_off_kobo: [{ reference: saleOf(paystack, 15).reference, kobo: -700 }],
    }),
    'flutterwave 18': () => ({ foreign: [{ reference: 'HOTEL-3', amount_kobo: 9_999_901 }] }),
  };

  return {
    lastDay: 21,
    withoutNotification: { 1: 'paystack', 8: 'monnify', 15: 'flutterwave' },
    async payOut(name, day) {
      const at = `${name} ${day}`;
      const payout = await payOut(stack, accounts[name], day, await odditiesOf[at]?.());
      paidOut[at] = payout;
    },
    afternoons: {
      async 1() {
        await refund(stack, paystack, saleOf(paystack, 1));
        await refund(stack, flutterwave, saleOf(flutterwave, 0), 30_000);
        await refund(stack, monnify, saleOf(monnify, 0), 25_000);
      },
      async 2() {
        await refund(stack, paystack, saleOf(paystack, 0), 20_001);
      },
      async 4() {
        await refund(stack, monnify, saleOf(monnify, 3));
      },
      async 7() {
        await refund(stack, flutterwave, saleOf(flutterwave, 4));
      },
      async 8() {
        await topUp(stack, flutterwave, paidOut['flutterwave 3']!, TOPPED_UP_KOBO);
        await refundInDashboard(stack, paystack, saleOf(paystack, 7), 15_000);
        await refundInDashboard(stack, flutterwave, saleOf(flutterwave, 7), 12_300);
      },
      async 9() {
        sales.lost = saleOf(paystack, 8);
        sales.won = saleOf(flutterwave, 8);
        sales.lostAtMonnify = saleOf(monnify, 8);
        await dispute(stack, paystack, sales.lost);
        await dispute(stack, flutterwave, sales.won);
        await dispute(stack, monnify, sales.lostAtMonnify);
      },
      async 11() {
        await dispute(stack, paystack, saleOf(paystack, 10));
      },
      async 14() {
        await payUnknownReference(stack, paystack, 'SV-900001-stranger', UNKNOWN_PAYMENT_KOBO);
      },
      async 15() {
        await dispute(stack, paystack, sales.lost!, 'lost');
      },
      async 16() {
        await dispute(stack, flutterwave, sales.won!, 'won');
        sales.forgotten = saleOf(paystack, 16);
        await forget(stack, sales.forgotten);
      },
      async 17() {
        await dispute(stack, monnify, sales.lostAtMonnify!, 'lost');
      },
      async 18() {
        await dispute(stack, flutterwave, saleOf(flutterwave, 18), 'lost');
        await accept(stack, 'fee_mismatch', -700);
      },
      async 21() {
        await refund(stack, paystack, saleOf(paystack, 18), 40_000);
      },
    },
    resolved: () => [
      ['short', flutterwave.slot, TOPPED_UP_KOBO],
      ['missing', paystack.slot, netOf(sales.late!)],
    ],
    async remaining() {
      const fees = feesOf(stack, ['SV-900001']);
      return {
        paystack: [
          ['unknown_at_provider', 'open', netOf(sales.forgotten!)],
          ['never_notified', 'open', fees.get('SV-900001')! - UNKNOWN_PAYMENT_KOBO],
          ['short', 'open', 123_456],
          ['fee_mismatch', 'open', 1_500],
          ['fee_mismatch', 'closed', -700],
        ],
        flutterwave: [['amount_mismatch', 'open', 50_000]],
        monnify: [],
      };
    },
  };
}

async function accept(stack: Stack, kind: string, differenceKobo: number): Promise<void> {
  const { token: key } = await memberOf(stack, stack.tenant, 'owner');
  const { data } = (await stack.api.get(`/discrepancies?status=open&kind=${kind}`)).json;
  const { id } = data.find(
    ({ difference_kobo: kobo }: { difference_kobo: number }) => kobo === differenceKobo,
  );
  const { status } = await stack.api.post(
    `/discrepancies/${id}/close`,
    { reason: 'Agreed with Paystack on the phone.' },
    { key },
  );
  expect(status).to.equal(200);
}
