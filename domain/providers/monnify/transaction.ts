import {
  type Channel,
  type ProviderCapture,
  ProviderError,
  type Verification,
} from '../provider.ts';
import { isReference, koboOfNaira, plainText, roundedKoboOfNaira } from '../read.ts';
import { monnifyDate } from './dates.ts';

/** Monnify's `paymentMethod` → ours. One not named is `other`, and shown to a person. (https://developers.monnify.com/api/) */
const channels: Record<string, Channel> = {
  CARD: 'card',
  ACCOUNT_TRANSFER: 'bank_transfer',
  USSD: 'ussd',
  PHONE_NUMBER: 'other',
  DIRECT_DEBIT: 'other',
  CASH: 'other',
};

/** Monnify's `paymentStatus` → what it says of a payment. A reversed payment was taken first, a partial one was taken too. */
const states: Record<string, Verification['state']> = {
  PENDING: 'unpaid',
  PAID: 'paid',
  OVERPAID: 'paid',
  PARTIALLY_PAID: 'paid',
  UNDERPAID: 'paid',
  REVERSED: 'paid',
  REFUNDED: 'paid',
  FAILED: 'declined',
  EXPIRED: 'ended',
  ABANDONED: 'ended',
  CANCELLED: 'ended',
};

const moneyWentBack = new Set(['REVERSED', 'REFUNDED']);

/** Reads the query shape. Throws `unknown` where money was taken and the answer does not say plainly how much, or under which id. */
export function readTransaction(transaction: Record<string, unknown>, raw: string): Verification {
  const { state, status } = stateOf(transaction);
  return {
    state,
    status,
    captures: state === 'paid' ? [readCapture(transaction, 'verify')] : [],
    hasRefunds: moneyWentBack.has(status),
    unknownWords: state === 'paid' ? unknownChannel(transaction) : [],
    // Monnify says of no payment why it failed.
    failureMessage: state === 'declined' ? 'The payment was declined.' : null,
    raw,
  };
}

/** What a transaction's own word says of it. */
export function stateOf(
  transaction: Record<string, unknown>,
): Pick<Verification, 'state' | 'status'> {
  const status = wordOf(transaction.paymentStatus);
  return { state: Object.hasOwn(states, status) ? states[status]! : 'unknown', status };
}

/** What Monnify's "could not find" says of a reference. */
export function absent(raw: string): Verification {
  return {
    state: 'absent',
    status: 'not found',
    captures: [],
    hasRefunds: false,
    unknownWords: [],
    failureMessage: null,
    raw,
  };
}

function unknownChannel(transaction: Record<string, unknown>): string[] {
  const channel = wordOf(transaction.paymentMethod);
  return channel === '' || Object.hasOwn(channels, channel) ? [] : [`channel "${channel}"`];
}

/**
 * The money of a transaction that was paid, in the query shape, wherever it is listed. Throws `unknown` where it does not say plainly how
 * much, or under which id.
 */
export function readCapture(transaction: Record<string, unknown>, stage: string): ProviderCapture {
  const channel = wordOf(transaction.paymentMethod);
  const amountKobo = koboOfNaira(transaction.amountPaid, stage);
  if (amountKobo === 0)
    throw new ProviderError('unknown', stage, 'a paid payment states no amount');
  return {
    providerPaymentId: idOf(transaction.transactionReference, stage),
    reference: plainText(transaction.paymentReference),
    amountKobo,
    feeKobo: feeOf(amountKobo, transaction.settlementAmount),
    currency: plainText(transaction.currency, 10).toUpperCase(),
    channel: Object.hasOwn(channels, channel) ? channels[channel]! : 'other',
    mode: null,
    // A transaction reference holds a time, which its documentation shows in Lagos time once and in UTC once.
    createdAt: null,
    capturedAt: monnifyDate(transaction.paidOn),
  };
}

/** Without it two payments cannot be told apart, and none can be refunded. */
function idOf(value: unknown, stage: string): string {
  if (!isReference(value))
    throw new ProviderError('unknown', stage, 'a payment carries no transaction reference');
  return value;
}

/** What the merchant does not receive. A settlement of nothing is none reckoned yet, or taken back; one above the payment states no fee. */
function feeOf(amountKobo: number, settlementAmount: unknown): number | null {
  const settledKobo = roundedKoboOfNaira(settlementAmount);
  return settledKobo === null || settledKobo === 0 || settledKobo > amountKobo
    ? null
    : amountKobo - settledKobo;
}

function wordOf(value: unknown): string {
  return plainText(value, 50).toUpperCase();
}
