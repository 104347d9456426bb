import { flutterwave } from '../../../../domain/providers/flutterwave/provider.ts';
import type { Reply } from '../calls.ts';
import { reference, refundId } from '../examples.ts';
import { openWithReplies } from '../replies.ts';

export { options, order, reference, refundId } from '../examples.ts';

export const secretKey = 'FLWSECK_TEST-0123456789abcdef-X';
export const secretHash = 'a hash chosen by the merchant';
export const credentials = { secret_key: secretKey, secret_hash: secretHash };
export const clock = () => new Date('2026-03-04T09:20:00Z');

export const good = (data: unknown, message = 'Fetched') => ({ status: 'success', message, data });
export const bad = (message: string) => ({ status: 'error', message, data: null });
export const noTransaction = bad('No transaction was found for this id');
export const listed = (data: object[], totalPages = 1) => ({
  ...good(data),
  meta: { page_info: { total: 100, current_page: 1, total_pages: totalPages } },
});

export function transaction(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ id: 288200108, tx_ref: reference, flw_ref: 'YemiDesola/FLW275407301' },
    ...{ amount: 5000, charged_amount: 5000, app_fee: 70, merchant_fee: 0 },
    ...{ amount_settled: 4924.75, currency: 'NGN', status: 'successful', payment_type: 'card' },
    ...{ processor_response: 'Please enter the OTP sent to your phone', auth_model: 'PIN' },
    ...{ created_at: '2026-03-02T09:14:24.000Z', account_id: 17321, meta: null },
    card: { first_6digits: '232343', last_4digits: '4567', country: 'NIGERIA NG' },
    customer: { id: 216519823, name: 'Yemi Desola', email: 'ada@example.com' },
    ...overrides,
  };
}

/** A transaction as a row of the list: its id is text, and much is left out. */
export function row(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const { card: _card, customer: _customer, meta: _meta, id, ...rest } = transaction(overrides);
  return { ...rest, id: String(id), customer_email: 'ada@example.com', customer_name: 'Yemi' };
}

export const payment = {
  ...{ providerPaymentId: '288200108', reference },
  capturedAt: new Date('2026-03-02T09:14:24Z'),
};

export function refundRow(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ id: 8612, amount_refunded: 1000.5, status: 'completed', flw_ref: 'URF_1577867664541' },
    ...{ comment: `${refundId}: They cannot come.`, meta: '{"source":"availablebalance"}' },
    ...{ created_at: '2026-03-03T09:18:37.366Z', account_id: 73362, transaction_id: 288200108 },
    ...overrides,
  };
}

export const accountAt = (...replies: Reply[]) =>
  openWithReplies(flutterwave, { credentials }, replies);
