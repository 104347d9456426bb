import { paystack } from '../../../../domain/providers/paystack/provider.ts';
import type { Reply } from '../calls.ts';
import { reference, refundId } from '../examples.ts';
import { openWithReplies } from '../replies.ts';

export { options, reference, refundId } from '../examples.ts';

export const secretKey = 'sk_test_example';
export const credentials = { secret_key: secretKey };

export const good = (data: unknown, message = 'Retrieved') => ({ status: true, message, data });
export const listed = (data: object[], pageCount = 1) => ({
  ...good(data),
  meta: { perPage: 100, pageCount },
});

export function transaction(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ id: 4099260516, domain: 'test', status: 'success', reference, receipt_number: null },
    ...{ amount: 500_000, requested_amount: 500_000, fees: 17_500, currency: 'NGN' },
    ...{ paid_at: '2026-03-02T09:15:02.000Z', created_at: '2026-03-02T09:14:24.000Z' },
    ...{ channel: 'card', message: null, gateway_response: 'Successful', metadata: '' },
    authorization: { authorization_code: 'AUTH_uh8bcl3zbn', channel: 'card', card_type: 'visa ' },
    customer: { id: 181873746, email: 'ada@example.com', first_name: null },
    ...overrides,
  };
}

export const payment = {
  ...{ providerPaymentId: '4099260516', reference },
  capturedAt: new Date('2026-03-02T09:15:02Z'),
};

export function refundRow(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ id: 3018284, integration: 412829, domain: 'test', transaction: 4099260516 },
    ...{ amount: 100_000, deducted_amount: 0, fully_deducted: null, currency: 'NGN' },
    ...{ status: 'pending', refunded_by: 'ada@shop.example', refunded_at: null },
    ...{ merchant_note: `${refundId}: They cannot come.`, customer_note: null },
    ...{ created_at: '2026-03-02T09:21:17.122Z', updated_at: '2026-03-02T09:21:17.122Z' },
    ...overrides,
  };
}

export const accountAt = (...replies: Reply[]) =>
  openWithReplies(paystack, { credentials }, replies);
