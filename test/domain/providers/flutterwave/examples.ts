import { flutterwave } from '../../../../domain/providers/flutterwave/provider.ts';
import type { Reply } from '../calls.ts';
import { openWithReplies } from '../replies.ts';

export const secretKey = 'FLWSECK_TEST-0123456789abcdef-X';
export const secretHash = 'a hash chosen by the merchant';
export const credentials = { secret_key: secretKey, secret_hash: secretHash };
export const clock = () => new Date('2026-03-04T09:20:00Z');
export const reference = 'SV-100001-abcdefgh';
export const options = { timeoutMs: 2_000 };

export const order = {
  reference,
  amountKobo: 500_050,
  currency: 'NGN',
  email: 'ada@example.com',
  name: 'Ada',
  phone: '+2348012345678',
  description: 'Two tickets',
  callbackUrl: 'https://pay.example/pay/ct_1?returned=1',
  expiresInMs: 90 * 60_000,
};

export const good = (data: unknown, message = 'Fetched') => ({ status: 'success', message, data });
export const bad = (message: string) => ({ status: 'error', message, data: null });
export const noTransaction = bad('No transaction was found for this id');
export const listed = (data: object[], totalPages = 1) => ({
  ...good(data),
  meta: { page_info: { total: 100, current_page: 1, total_pages: totalPages } },
});

/** The verify shape of a payment of ₦5,000, as the documentation shows it. */
export function transaction(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{
      id: 288200108,
      tx_ref: reference,
      flw_ref: 'YemiDesola/FLW275407301',
      device_fingerprint: 'N/A',
      amount: 5000,
      currency: 'NGN',
    },
    ...{
      charged_amount: 5000,
      app_fee: 70,
      merchant_fee: 0,
      processor_response: 'Please enter the OTP sent to your phone',
      auth_model: 'PIN',
    },
    ...{
      ip: '::ffff:10.5.179.3',
      narration: 'CARD Transaction ',
      status: 'successful',
      payment_type: 'card',
    },
    ...{
      created_at: '2026-03-02T09:14:24.000Z',
      account_id: 17321,
      meta: null,
      amount_settled: 4924.75,
    },
    card: {
      first_6digits: '232343',
      last_4digits: '4567',
      issuer: 'FIRST CITY MONUMENT BANK PLC',
      country: 'NIGERIA NG',
      type: 'VERVE',
    },
    customer: {
      id: 216519823,
      name: 'Yemi Desola',
      phone_number: 'N/A',
      email: 'ada@example.com',
      created_at: '2026-03-02T09:14:15.000Z',
    },
    ...overrides,
  };
}

/** The same as a row of the list: its id is text, and much is left out. */
export function row(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const { card: _card, customer: _customer, meta: _meta, id, ...rest } = transaction(overrides);
  return {
    ...rest,
    id: String(id),
    customer_email: 'ada@example.com',
    customer_name: 'Yemi Desola',
  };
}

/** The payment of `transaction`, paid. */
export const payment = {
  providerPaymentId: '288200108',
  reference,
  capturedAt: new Date('2026-03-02T09:14:24Z'),
};
export const refundId = 'ref_01jn9z7k3e8h6t4b2v5w9xq0yd';

/** A refund of ₦1,000.50 of that payment, as a row of the list. */
export function refundRow(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{
      id: 8612,
      amount_refunded: 1000.5,
      status: 'completed',
      flw_ref: 'URF_1577867664541_3572735',
    },
    ...{
      comment: `${refundId}: They cannot come.`,
      settlement_id: 'NEW',
      meta: '{"source":"availablebalance"}',
    },
    ...{ created_at: '2026-03-03T09:18:37.366Z', account_id: 73362, transaction_id: 288200108 },
    ...overrides,
  };
}

/** An account whose calls get these replies in turn. */
export const accountAt = (...replies: Reply[]) =>
  openWithReplies(flutterwave, { credentials }, replies);
