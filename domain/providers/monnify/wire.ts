import { DateTime } from 'luxon';
import type { Channel, ProviderCapture, Verification } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { isReference, koboOfNaira, plainText, roundedKoboOfNaira, stateIn } from '../read.ts';

/**
 * `paymentMethod` → ours. Any other is `other`, and a person sees it.
 * (https://developers.monnify.com/api/)
 */
const channels: Record<string, Channel> = {
  CARD: 'card',
  ACCOUNT_TRANSFER: 'bank_transfer',
  USSD: 'ussd',
  PHONE_NUMBER: 'other',
  DIRECT_DEBIT: 'other',
  CASH: 'other',
};

/**
 * `paymentStatus` → ours. A reversed payment was captured first; a partial payment is captured too.
 */
const states: Record<string, Verification['state']> = {
  PENDING: 'unpaid',
  PAID: 'paid',
  // In the sample of the search (https://github.com/Monnify/mcp-server).
  SUCCESSFUL: 'paid',
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

/** What Monnify says about a transaction. */
export function statusOf(
  transaction: Record<string, unknown>,
): Pick<Verification, 'state' | 'status'> {
  const status = wordOf(transaction.paymentStatus);
  return { state: stateIn(states, status), status };
}

/** True: all of the payment went back. */
export function isReversed(status: string): boolean {
  return status === 'REVERSED' || status === 'REFUNDED';
}

/** A channel that the table does not list, for a person to look at. */
export function unknownChannel(transaction: Record<string, unknown>): string[] {
  const channel = wordOf(transaction.paymentMethod);
  return channel === '' || Object.hasOwn(channels, channel) ? [] : [`channel "${channel}"`];
}

/**
 * The capture of a paid transaction in the form of the query answer. Throws `unknown` where the
 * amount or id is not clear.
 */
export function readCapture(transaction: Record<string, unknown>, stage: string): ProviderCapture {
  const channel = wordOf(transaction.paymentMethod);
  const amountKobo = koboOfNaira(transaction.amountPaid, stage);
  const payableKobo = roundedKoboOfNaira(transaction.totalPayable);
  if (amountKobo === 0)
    throw new ProviderError('unknown', stage, 'a paid payment states no amount');
  return {
    providerPaymentId: idOf(transaction.transactionReference, stage),
    reference: plainText(transaction.paymentReference),
    amountKobo,
    // With a fee that the payer bears, or without: only what we asked tells.
    ...(payableKobo !== null && { payableKobo }),
    feeKobo: feeOf(amountKobo, transaction.settlementAmount),
    ...(isReversed(statusOf(transaction).status) && { isReversed: true }),
    currency: plainText(transaction.currency, 10).toUpperCase(),
    channel: Object.hasOwn(channels, channel) ? channels[channel]! : 'other',
    mode: null,
    // A transaction reference holds a time, documented in Lagos time in one place and in UTC in
    // another.
    createdAt: null,
    capturedAt: monnifyDate(transaction.paidOn),
  };
}

/** Without it, payments could not be told apart and none could be refunded. */
export function idOf(value: unknown, stage: string): string {
  if (!isReference(value))
    throw new ProviderError('unknown', stage, 'a payment carries no transaction reference');
  return value;
}

/**
 * What the merchant does not receive. A zero settlement is not computed yet, or taken back; one
 * above the payment states no fee.
 */
function feeOf(amountKobo: number, settlementAmount: unknown): number | null {
  const settledKobo = roundedKoboOfNaira(settlementAmount);
  return settledKobo === null || settledKobo === 0 || settledKobo > amountKobo
    ? null
    : amountKobo - settledKobo;
}

function wordOf(value: unknown): string {
  return plainText(value, 50).toUpperCase();
}

/** Most of Monnify's dates name no zone; they are in Lagos time. */
const reading = { zone: 'Africa/Lagos', locale: 'en-US' };
const withSlashes = DateTime.buildFormatParser('d/M/yyyy h:mm:ss a', reading);

/**
 * A time in any of Monnify's forms: `17/11/2021 3:48:10 PM`, `2021-11-17 11:28:42.615`, ISO with an
 * offset or without. Null for anything else, also for slashes without AM or PM: Monnify has written
 * 18:30 as `06:30:00`.
 */
export function monnifyDate(value: unknown): Date | null {
  const text = plainText(value, 50).replace(/\s+/g, ' ');
  const date = text.includes('/')
    ? DateTime.fromFormatParser(text, withSlashes, reading)
    : fromIso(text);
  return date?.isValid ? date.toJSDate() : null;
}

function fromIso(text: string): DateTime | undefined {
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text)
    ? DateTime.fromISO(text.replace(' ', 'T'), reading)
    : undefined;
}
