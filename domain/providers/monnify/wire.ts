import { DateTime } from 'luxon';
import type { PaymentForm } from '../adapter/payments.ts';
import {
  isReference,
  koboOfNaira,
  plainText,
  roundedKoboOfNaira,
  UnclearError,
  wordOf,
} from '../adapter/read.ts';

export const transactionForm: PaymentForm = {
  id: ({ transactionReference: id }) => (isReference(id) ? id : null),
  reference: 'paymentReference',
  status: 'paymentStatus',
  channel: 'paymentMethod',
  wordOf: upperWord,
  // A partial payment is captured too. (https://developers.monnify.com/api/)
  states: {
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
  },
  goesBack: { REVERSED: true, REFUNDED: true },
  channels: {
    CARD: 'card',
    ACCOUNT_TRANSFER: 'bank_transfer',
    USSD: 'ussd',
    PHONE_NUMBER: 'other',
    DIRECT_DEBIT: 'other',
    CASH: 'other',
  },
  amountsOf({ amountPaid, totalPayable, settlementAmount }) {
    const amountKobo = koboOfNaira(amountPaid);
    if (amountKobo === 0) throw new UnclearError('a paid payment states no amount');
    const payableKobo = roundedKoboOfNaira(totalPayable);
    return {
      amountKobo,
      // With a fee that the payer bears, or without: only what we asked tells.
      ...(payableKobo !== null && { payableKobo }),
      feeKobo: feeOf(amountKobo, roundedKoboOfNaira(settlementAmount)),
    };
  },
  // A transaction reference holds a time, documented in Lagos time in one place and in UTC in
  // another.
  timesOf: ({ paidOn }) => ({ createdAt: null, capturedAt: monnifyDate(paidOn) }),
};

/** Zero: not computed yet, or taken back. */
function feeOf(amountKobo: number, settledKobo: number | null): number | null {
  return !settledKobo || settledKobo > amountKobo ? null : amountKobo - settledKobo;
}

export function upperWord(value: unknown): string {
  return wordOf(value).toUpperCase();
}

const reading = { zone: 'Africa/Lagos', locale: 'en-US' };
const withSlashes = DateTime.buildFormatParser('d/M/yyyy h:mm:ss a', reading);

/**
 * `17/11/2021 3:48:10 PM`, `2021-11-17 11:28:42.615` or ISO. Null for slashes without AM or PM:
 * Monnify has written 18:30 as `06:30:00`.
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
