import { monnify } from '../../../../domain/providers/monnify/provider.ts';
import type { Reply } from '../calls.ts';
import { reference, refundId } from '../examples.ts';
import { openWithReplies } from '../replies.ts';

export { options, order, reference, refundId } from '../examples.ts';

export const baseUrl = 'https://sandbox.monnify.com';
export const credentials = {
  ...{ api_key: 'MK_TEST_JRQAZRFD2W', secret_key: '91MUDL9N6U3BQRXBQ2PJ9M0PW4J22M1Y' },
  contract_code: '5867418298',
};
export const clock = () => new Date('2026-03-02T09:20:00Z');
export const transactionReference = 'MNFY|98|20260302101424|260516';

export const ok = (responseBody: unknown) => ({
  ...{ requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody },
});
export const no = (responseMessage: string, responseCode: unknown = '99') => ({
  ...{ requestSuccessful: false, responseMessage, responseCode },
});
export const springPage = (content: unknown, last: unknown = true) =>
  ok({ content, last, totalPages: 9, number: 0, size: 100 });

export function transaction(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ transactionReference, paymentReference: reference, paymentStatus: 'PAID' },
    ...{ amountPaid: '5000.50', totalPayable: '5000.50', settlementAmount: '4925.49' },
    ...{ paidOn: '02/03/2026 10:15:02 AM', currency: 'NGN', paymentMethod: 'CARD' },
    ...{ paymentDescription: 'Two tickets', product: { type: 'WEB_SDK', reference } },
    ...{ cardDetails: { cardType: 'VISA', last4: '1111' }, accountDetails: null, metaData: {} },
    ...{ accountPayments: [], customer: { email: 'ada@example.com', name: 'Ada' }, ...overrides },
  };
}

export const payment = {
  ...{ providerPaymentId: transactionReference, reference },
  capturedAt: new Date('2026-03-02T09:15:02Z'),
};

export function refundShape(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ refundReference: refundId, transactionReference, refundAmount: 100.5 },
    ...{ refundReason: 'Two of five came back', customerNote: 'Refund' },
    ...{ refundType: 'PARTIAL_REFUND', refundStatus: 'PENDING', refundStrategy: 'MERCHANT_WALLET' },
    ...{ comment: 'Refund is being processed', createdOn: '02/03/2026 11:20:02 AM', ...overrides },
  };
}

const login: Record<string, Reply> = {
  '/api/v1/auth/login': [200, ok({ accessToken: 'token-1', expiresIn: 3600 })],
};

export const accountAt = (...replies: Reply[]) =>
  openWithReplies(monnify, { credentials, uncounted: login }, replies);
