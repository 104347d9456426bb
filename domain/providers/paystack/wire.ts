import type { PaymentForm } from '../adapter/payments.ts';
import {
  dateOf,
  idOf,
  isObject,
  isStated,
  koboOf,
  numericId,
  plainText,
  type Row,
  wordOf,
} from '../adapter/read.ts';

/** A transaction of Paystack. (https://paystack.com/docs/payments/verify-payments/) */
export const transactionForm: PaymentForm = {
  id: ({ id }) => numericId(id),
  reference: 'reference',
  status: 'status',
  channel: 'channel',
  wordOf,
  states: {
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
  },
  goesBack: { reversed: true, 'reversal pending': false, 'reversal-pending': false },
  // (https://paystack.com/docs/payments/payment-channels/)
  channels: {
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
  },
  amountsOf,
  timesOf(transaction) {
    const createdAt = dateOf(transaction.created_at) ?? dateOf(transaction.createdAt);
    const paidAt = dateOf(transaction.paid_at) ?? dateOf(transaction.paidAt);
    return { createdAt, capturedAt: paidAt ?? createdAt };
  },
  modeOf: ({ domain }) => plainText(domain, 10) || null,
  failureOf: ({ gateway_response }) => plainText(gateway_response),
};

/**
 * Where the payer bears the fee, `amount` is above `requested_amount` by exactly that, and the
 * merchant pays none. A smaller amount counts as paid.
 */
function amountsOf({ amount, requested_amount: asked, fees }: Row) {
  const chargedKobo = koboOf(amount);
  const feeKobo = isStated(fees) ? koboOf(fees) : null;
  const askedKobo = isStated(asked) ? koboOf(asked) : chargedKobo;
  if (chargedKobo <= askedKobo) return { amountKobo: chargedKobo, feeKobo };
  const payerFeeKobo = chargedKobo - askedKobo;
  if (feeKobo === null) return { amountKobo: askedKobo, payerFeeKobo, feeKobo };
  return feeKobo === payerFeeKobo
    ? { amountKobo: askedKobo, payerFeeKobo, feeKobo: 0 }
    : { amountKobo: chargedKobo, feeKobo };
}

/** Some records hold the whole transaction. */
export function paymentIdOf({ transaction }: Row): string | null {
  const id = isObject(transaction) ? transaction.id : transaction;
  return id === null || id === undefined ? null : idOf(id);
}
