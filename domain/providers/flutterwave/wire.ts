import { DAY_MS } from '../../shared/units.ts';
import type { PaymentForm } from '../adapter/payments.ts';
import {
  dateOf,
  isStated,
  koboOfNaira,
  numericId,
  plainText,
  type Row,
  roundedKoboOfNaira,
  wordOf,
} from '../adapter/read.ts';

/** One of several tries under a `tx_ref`. A refund leaves `successful` as it is. */
export const transactionForm: PaymentForm = {
  id: ({ id }) => numericId(id),
  reference: 'tx_ref',
  status: 'status',
  channel: 'payment_type',
  wordOf,
  states: {
    pending: 'unpaid',
    successful: 'paid',
    reversed: 'paid',
    refunded: 'paid',
    failed: 'retrying',
    cancelled: 'retrying',
  },
  goesBack: { reversed: true, refunded: true },
  // (https://developer.flutterwave.com/v3.0/docs/payment-methods)
  channels: {
    card: 'card',
    applepay: 'card',
    googlepay: 'card',
    bank_transfer: 'bank_transfer',
    banktransfer: 'bank_transfer',
    ussd: 'ussd',
    nqr: 'qr',
    qr: 'qr',
    mpesa: 'mobile_money',
    account: 'other',
    internetbanking: 'other',
    enaira: 'other',
    opay: 'other',
    barter: 'other',
    credit: 'other',
  },
  // Before a country or network: `mobilemoneyghana`, `account-ach-uk`.
  channelFamilies: [
    ['mobilemoney', 'mobile_money'],
    ['account-ach', 'other'],
  ],
  amountsOf,
  // When the payer began; Flutterwave does not say when they had paid.
  timesOf({ created_at }) {
    const createdAt = dateOf(created_at);
    return { createdAt, capturedAt: createdAt };
  },
  failureOf: ({ status, processor_response: reason }) =>
    plainText(reason) || (wordOf(status) === 'cancelled' ? 'The payment was cancelled.' : ''),
};

/**
 * `amount` was asked, `charged_amount` paid, `amount_settled` is the merchant's. Where the payer
 * bears the fee, they pay more by exactly that; any other difference is too little or too much.
 */
function amountsOf(transaction: Row) {
  const askedKobo = koboOfNaira(transaction.amount);
  const chargedKobo = isStated(transaction.charged_amount)
    ? roundedKoboOfNaira(transaction.charged_amount)
    : askedKobo;
  // Zero means not computed yet: no fee takes a whole payment.
  const settledKobo = roundedKoboOfNaira(transaction.amount_settled) || null;
  const statedFeeKobo = feeOf(transaction);
  const onTopKobo = chargedKobo === null ? 0 : chargedKobo - askedKobo;
  const isPayersFee =
    onTopKobo > 0 &&
    ((settledKobo === null && statedFeeKobo === null) ||
      settledKobo === askedKobo ||
      onTopKobo === statedFeeKobo ||
      onTopKobo === roundedKoboOfNaira(transaction.app_fee));
  const payerFeeKobo = isPayersFee ? onTopKobo : 0;
  const amountKobo =
    isPayersFee || chargedKobo === askedKobo ? askedKobo : koboOfNaira(transaction.charged_amount);
  const ownFeeKobo = statedFeeKobo === null ? null : statedFeeKobo - payerFeeKobo;
  const feeKobo = settledKobo === null ? ownFeeKobo : amountKobo - settledKobo;
  return {
    amountKobo,
    ...(isPayersFee && { payerFeeKobo }),
    feeKobo: feeKobo === null ? null : Math.max(0, feeKobo),
  };
}

/** Null: Flutterwave's own is not stated. */
export function feeOf({ app_fee, merchant_fee, stampduty_charge }: Row): number | null {
  const feeKobo = roundedKoboOfNaira(app_fee);
  const others = [merchant_fee, stampduty_charge].map((fee) => roundedKoboOfNaira(fee) ?? 0);
  return feeKobo === null ? null : others.reduce((sum, other) => sum + other, feeKobo);
}

/** The days of a list query, with one more on either side: their zone may be Lagos or UTC. */
export function windowSince(since: Date, now: Date): { from: string; to: string } {
  const dayAt = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);
  const [sinceMs, nowMs] = [since.getTime(), now.getTime()];
  return { from: dayAt(sinceMs - DAY_MS), to: dayAt(Math.max(sinceMs, nowMs) + DAY_MS) };
}
