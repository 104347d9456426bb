import type { Channel, ProviderCapture, Verification } from '../provider.ts';
import { dateOf, koboOf, plainText } from '../read.ts';
import { idOf } from './pages.ts';

/** Paystack's `channel` → ours. One not named is `other`, and shown to a person. (https://paystack.com/docs/payments/payment-channels/) */
const channels: Record<string, Channel> = {
  card: 'card',
  apple_pay: 'card',
  bank_transfer: 'bank_transfer',
  dedicated_nuban: 'bank_transfer',
  ussd: 'ussd',
  qr: 'qr',
  mobile_money: 'mobile_money',
  bank: 'other',
  direct_debit: 'other',
  eft: 'other',
  pos: 'other',
  capitec_pay: 'other',
  payattitude: 'other',
};

/** Paystack's `data.status` → what it says of a payment. A reversed payment was taken first. (https://paystack.com/docs/payments/verify-payments/) */
const states: Record<string, Verification['state']> = {
  abandoned: 'unpaid',
  ongoing: 'unpaid',
  pending: 'unpaid',
  processing: 'unpaid',
  queued: 'unpaid',
  failed: 'declined',
  success: 'paid',
  reversed: 'paid',
  'reversal pending': 'paid',
  'reversal-pending': 'paid',
};

/** Reads the verify shape. Throws `unknown` where money was taken and the answer does not say plainly how much, or under which id. */
export function readTransaction(transaction: Record<string, unknown>, raw: string): Verification {
  const { state, status } = stateOf(transaction);
  const captures = state === 'paid' ? [readCapture(transaction, 'verify')] : [];
  const failureMessage =
    state === 'declined'
      ? plainText(transaction.gateway_response) || 'The payment was declined.'
      : null;
  const hasRefunds = state === 'paid' && status !== 'success';
  return {
    state,
    status,
    captures,
    hasRefunds,
    unknownWords: state === 'paid' ? unknownChannel(transaction) : [],
    failureMessage,
    raw,
  };
}

/** What a transaction's own word says of it. */
export function stateOf(
  transaction: Record<string, unknown>,
): Pick<Verification, 'state' | 'status'> {
  const status = plainText(transaction.status, 50).toLowerCase();
  return { state: Object.hasOwn(states, status) ? states[status]! : 'unknown', status };
}

/** What Paystack's "not found" says of a reference. */
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
  const channel = plainText(transaction.channel, 50).toLowerCase();
  return channel === '' || Object.hasOwn(channels, channel) ? [] : [`channel "${channel}"`];
}

/** The money of a transaction that was paid, wherever it is listed. Throws `unknown` where it does not say plainly how much, or under which id. */
export function readCapture(transaction: Record<string, unknown>, stage: string): ProviderCapture {
  const createdAt = dateOf(transaction.created_at) ?? dateOf(transaction.createdAt);
  const channel = plainText(transaction.channel, 50).toLowerCase();
  return {
    providerPaymentId: idOf(transaction.id, stage),
    reference: plainText(transaction.reference),
    ...amountsOf(transaction, stage),
    currency: plainText(transaction.currency, 10).toUpperCase(),
    channel: Object.hasOwn(channels, channel) ? channels[channel]! : 'other',
    mode: plainText(transaction.domain, 10) || null,
    createdAt,
    capturedAt: dateOf(transaction.paid_at) ?? dateOf(transaction.paidAt) ?? createdAt,
  };
}

/**
 * `amount` is what the payer was charged, `requested_amount` what we asked. Where the payer bears the fee the two differ by just that,
 * and the merchant pays none; where less than asked was paid, the less counts.
 */
function amountsOf(
  transaction: Record<string, unknown>,
  stage: string,
): { amountKobo: number; feeKobo: number | null } {
  const chargedKobo = koboOf(transaction.amount, stage);
  const feeKobo = isStated(transaction.fees) ? koboOf(transaction.fees, stage) : null;
  const askedKobo = isStated(transaction.requested_amount)
    ? koboOf(transaction.requested_amount, stage)
    : chargedKobo;
  if (chargedKobo <= askedKobo) return { amountKobo: chargedKobo, feeKobo };
  if (feeKobo === null) return { amountKobo: askedKobo, feeKobo };
  return chargedKobo - feeKobo === askedKobo
    ? { amountKobo: askedKobo, feeKobo: 0 }
    : { amountKobo: chargedKobo, feeKobo };
}

function isStated(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}
