import { DAY_MS } from '../../shared/units.ts';
import type { Channel, ProviderCapture, Verification } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import {
  dateOf,
  isStated,
  koboOfNaira,
  numericId,
  plainText,
  roundedKoboOfNaira,
  stateIn,
} from '../read.ts';

/** A transaction: one of possibly several tries to pay under a `tx_ref`. */
export type Transaction = Record<string, unknown>;

/**
 * `payment_type` → ours. Any other is `other`, and a person sees it.
 * (https://developer.flutterwave.com/v3.0/docs/payment-methods)
 */
const channels: Record<string, Channel> = {
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
};

/**
 * Prefixes of a `payment_type`, before a country or network: `mobilemoneyghana`, `account-ach-uk`.
 */
const channelFamilies: [beginning: string, channel: Channel][] = [
  ['mobilemoney', 'mobile_money'],
  ['account-ach', 'other'],
];

/**
 * `data.status` of one try → ours. The pay page takes another try. A refund leaves `successful` as
 * it is; a reversed payment was captured first.
 */
const states: Record<string, Verification['state']> = {
  pending: 'unpaid',
  successful: 'paid',
  reversed: 'paid',
  refunded: 'paid',
  failed: 'retrying',
  cancelled: 'retrying',
};

/** True: all of the payment went back. */
export function isReversed(status: string): boolean {
  return status === 'reversed' || status === 'refunded';
}

export function statusOf(transaction: Transaction): string {
  return plainText(transaction.status, 50).toLowerCase();
}

export function stateOf(transaction: Transaction): Verification['state'] {
  return stateIn(states, statusOf(transaction));
}

/** Why a try failed, in the words of the payer's bank where it gives any. */
export function failureOf(transaction: Transaction): string {
  const text = plainText(transaction.processor_response);
  return (
    text ||
    (statusOf(transaction) === 'cancelled'
      ? 'The payment was cancelled.'
      : 'The payment was declined.')
  );
}

/** Throws `unknown` where there is no id: payments could not be told apart. */
export function idOf(transaction: Transaction, stage = 'verify'): string {
  const id = numericId(transaction.id);
  if (id === null) throw new ProviderError('unknown', stage, 'a payment carries no id');
  return id;
}

/** A channel that the table does not list, for a person to look at. */
export function unknownChannel(transaction: Transaction): string[] {
  const type = typeOf(transaction);
  return type === '' || channelOf(type) ? [] : [`channel "${type}"`];
}

/**
 * The capture of a successful try. Its mode is not stated; its time is when the payer began. Throws
 * `unknown` where the amount or id is not clear.
 */
export function readCapture(transaction: Transaction, stage = 'verify'): ProviderCapture {
  const createdAt = dateOf(transaction.created_at);
  return {
    providerPaymentId: idOf(transaction, stage),
    reference: plainText(transaction.tx_ref),
    ...amountsOf(transaction, stage),
    ...(isReversed(statusOf(transaction)) && { isReversed: true }),
    currency: plainText(transaction.currency, 10).toUpperCase(),
    channel: channelOf(typeOf(transaction)) ?? 'other',
    mode: null,
    createdAt,
    capturedAt: createdAt,
  };
}

function typeOf(transaction: Transaction): string {
  return plainText(transaction.payment_type, 50).toLowerCase();
}

function channelOf(type: string): Channel | undefined {
  if (Object.hasOwn(channels, type)) return channels[type];
  return channelFamilies.find(([beginning]) => type.startsWith(beginning))?.[1];
}

/**
 * `amount` is what was asked, `charged_amount` what the payer paid, `amount_settled` what the
 * merchant gets. Where the payer bears the fee, they pay more by exactly the fee, and the asked
 * amount counts. Any other difference is an underpayment or an overpayment.
 */
function amountsOf(
  transaction: Transaction,
  stage: string,
): Pick<ProviderCapture, 'amountKobo' | 'payerFeeKobo' | 'feeKobo'> {
  const askedKobo = koboOfNaira(transaction.amount, stage);
  const chargedKobo = isStated(transaction.charged_amount)
    ? roundedKoboOfNaira(transaction.charged_amount)
    : askedKobo;
  const payersFeeKobo =
    chargedKobo === null ? 0 : payersFeeOf(transaction, askedKobo, chargedKobo - askedKobo);
  const isAsked = chargedKobo === askedKobo || payersFeeKobo > 0;
  const amountKobo = isAsked ? askedKobo : koboOfNaira(transaction.charged_amount, stage);
  const settledKobo = settledOf(transaction);
  const feeKobo = settledKobo === null ? feeOf(transaction) : amountKobo - settledKobo;
  const merchantsKobo =
    settledKobo === null && feeKobo !== null ? feeKobo - payersFeeKobo : feeKobo;
  return {
    amountKobo,
    ...(payersFeeKobo > 0 && { payerFeeKobo: payersFeeKobo }),
    feeKobo: merchantsKobo === null ? null : Math.max(0, merchantsKobo),
  };
}

/**
 * How much of the fee the payer bore: the excess over the asked amount, where a fee would be as
 * much.
 */
function payersFeeOf(transaction: Transaction, askedKobo: number, onTopKobo: number): number {
  if (onTopKobo <= 0) return 0;
  const [settledKobo, feeKobo] = [settledOf(transaction), feeOf(transaction)];
  const nothingKnown = settledKobo === null && feeKobo === null;
  const isFee =
    nothingKnown ||
    settledKobo === askedKobo ||
    onTopKobo === feeKobo ||
    onTopKobo === roundedKoboOfNaira(transaction.app_fee);
  return isFee ? onTopKobo : 0;
}

/**
 * What is settled; null while not stated. Zero means not computed yet: no fee takes a whole
 * payment.
 */
function settledOf(transaction: Transaction): number | null {
  return roundedKoboOfNaira(transaction.amount_settled) || null;
}

/** Flutterwave's fee and the merchant's own; null while the first is not stated. */
function feeOf(transaction: Transaction): number | null {
  const feeKobo = roundedKoboOfNaira(transaction.app_fee);
  return feeKobo === null ? null : feeKobo + (roundedKoboOfNaira(transaction.merchant_fee) ?? 0);
}

/**
 * The days of a list query. Their time zone may be Lagos or UTC: a day more on either side covers
 * both.
 */
export function windowSince(since: Date, now: Date): { from: string; to: string } {
  return {
    from: dayOf(since.getTime() - DAY_MS),
    to: dayOf(Math.max(since.getTime(), now.getTime()) + DAY_MS),
  };
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
