import type { Channel, ProviderCapture, Verification } from '../provider.ts';
import { dateOf, isStated, koboOf, plainText, stateIn } from '../read.ts';
import { idOf } from './pages.ts';

/**
 * Paystack's `channel` → ours. Any other is `other`, and a person sees it.
 * (https://paystack.com/docs/payments/payment-channels/)
 */
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

/**
 * Paystack's `data.status` → ours. A reversed payment was captured first.
 * (https://paystack.com/docs/payments/verify-payments/)
 */
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

/** What Paystack says about a transaction. */
export function statusOf(
  transaction: Record<string, unknown>,
): Pick<Verification, 'state' | 'status'> {
  const status = plainText(transaction.status, 50).toLowerCase();
  return { state: stateIn(states, status), status };
}

/** True: all of the payment went back. */
export function isReversed(status: string): boolean {
  return status === 'reversed';
}

/** A channel that the table does not list, for a person to look at. */
export function unknownChannel(transaction: Record<string, unknown>): string[] {
  const channel = plainText(transaction.channel, 50).toLowerCase();
  return channel === '' || Object.hasOwn(channels, channel) ? [] : [`channel "${channel}"`];
}

/**
 * The capture of a paid transaction, from any list. Throws `unknown` where the amount or id is not
 * clear.
 */
export function readCapture(transaction: Record<string, unknown>, stage: string): ProviderCapture {
  const createdAt = dateOf(transaction.created_at) ?? dateOf(transaction.createdAt);
  const channel = plainText(transaction.channel, 50).toLowerCase();
  return {
    providerPaymentId: idOf(transaction.id, stage),
    reference: plainText(transaction.reference),
    ...amountsOf(transaction, stage),
    ...(isReversed(statusOf(transaction).status) && { isReversed: true }),
    currency: plainText(transaction.currency, 10).toUpperCase(),
    channel: Object.hasOwn(channels, channel) ? channels[channel]! : 'other',
    mode: plainText(transaction.domain, 10) || null,
    createdAt,
    capturedAt: dateOf(transaction.paid_at) ?? dateOf(transaction.paidAt) ?? createdAt,
  };
}

/**
 * `amount` is what the payer was charged, `requested_amount` what we asked. Where the payer bears
 * the fee, the two differ by exactly the fee and the merchant pays none. Where less than asked was
 * paid, the smaller amount counts.
 */
function amountsOf(
  transaction: Record<string, unknown>,
  stage: string,
): Pick<ProviderCapture, 'amountKobo' | 'payerFeeKobo' | 'feeKobo'> {
  const chargedKobo = koboOf(transaction.amount, stage);
  const feeKobo = isStated(transaction.fees) ? koboOf(transaction.fees, stage) : null;
  const askedKobo = isStated(transaction.requested_amount)
    ? koboOf(transaction.requested_amount, stage)
    : chargedKobo;
  if (chargedKobo <= askedKobo) return { amountKobo: chargedKobo, feeKobo };
  const payerFeeKobo = chargedKobo - askedKobo;
  if (feeKobo === null) return { amountKobo: askedKobo, payerFeeKobo, feeKobo };
  return feeKobo === payerFeeKobo
    ? { amountKobo: askedKobo, payerFeeKobo, feeKobo: 0 }
    : { amountKobo: chargedKobo, feeKobo };
}
