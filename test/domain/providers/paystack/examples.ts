import { paystack } from '../../../../domain/providers/paystack/provider.ts';
import type { Reply } from '../calls.ts';
import { openWithReplies } from '../replies.ts';

export const secretKey = 'sk_test_example';
export const credentials = { secret_key: secretKey };
export const reference = 'SV-100001-abcdefgh';
export const options = { timeoutMs: 2_000 };

export const order = {
  reference,
  amountKobo: 500_000,
  currency: 'NGN',
  email: 'ada@example.com',
  name: 'Ada',
  phone: '+2348012345678',
  description: 'Two tickets',
  callbackUrl: 'https://pay.example/pay/ct_1?returned=1',
  expiresInMs: 24 * 3_600_000,
};

/** The verify shape of a payment of ₦5,000, as the documentation shows it. */
export function transaction(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{
      id: 4099260516,
      domain: 'test',
      status: 'success',
      reference,
      receipt_number: null,
      amount: 500_000,
      message: null,
    },
    ...{
      gateway_response: 'Successful',
      paid_at: '2026-03-02T09:15:02.000Z',
      created_at: '2026-03-02T09:14:24.000Z',
    },
    ...{
      channel: 'card',
      currency: 'NGN',
      ip_address: '197.210.54.33',
      metadata: '',
      fees: 17_500,
      requested_amount: 500_000,
    },
    authorization: {
      authorization_code: 'AUTH_uh8bcl3zbn',
      channel: 'card',
      card_type: 'visa ',
      bank: 'TEST BANK',
    },
    customer: { id: 181873746, email: 'ada@example.com', first_name: null },
    ...overrides,
  };
}

/** The payment of `transaction`, paid. */
export const payment = {
  providerPaymentId: '4099260516',
  reference,
  capturedAt: new Date('2026-03-02T09:15:02Z'),
};
export const refundId = 'ref_01jn9z7k3e8h6t4b2v5w9xq0yd';

/** A refund of ₦1,000 of that payment, as a row of the list. */
export function refundRow(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{
      id: 3018284,
      integration: 412829,
      domain: 'test',
      transaction: 4099260516,
      dispute: null,
      settlement: null,
      amount: 100_000,
    },
    ...{
      deducted_amount: 0,
      fully_deducted: null,
      currency: 'NGN',
      status: 'pending',
      refunded_by: 'ada@shop.example',
      refunded_at: null,
    },
    ...{
      merchant_note: `${refundId}: They cannot come.`,
      customer_note: null,
      expected_at: '2026-03-12T09:21:17.016Z',
    },
    ...{ created_at: '2026-03-02T09:21:17.122Z', updated_at: '2026-03-02T09:21:17.122Z' },
    ...overrides,
  };
}

/** The answer with a page of a list. */
export const listed = (data: object[], pageCount = 1) => ({
  status: true,
  message: 'Retrieved',
  data,
  meta: { perPage: 100, pageCount },
});

/** An account whose calls get these replies in turn. */
export const accountAt = (...replies: Reply[]) =>
  openWithReplies(paystack, { credentials }, replies);

export const good = (data: unknown, message = 'Retrieved') => ({ status: true, message, data });
