import nock from 'nock';
import { monnify } from '../../../../domain/providers/monnify/provider.ts';
import type { Provider } from '../../../../domain/providers/provider.ts';

export const baseUrl = 'https://sandbox.monnify.com';
export const credentials = {
  api_key: 'MK_TEST_JRQAZRFD2W',
  secret_key: '91MUDL9N6U3BQRXBQ2PJ9M0PW4J22M1Y',
  contract_code: '5867418298',
};
/** What Monnify is shown at login: `MK_TEST_JRQAZRFD2W:91MUDL9N6U3BQRXBQ2PJ9M0PW4J22M1Y`. */
export const basic = 'Basic TUtfVEVTVF9KUlFBWlJGRDJXOjkxTVVETDlONlUzQlFSWEJRMlBKOU0wUFc0SjIyTTFZ';
export const clock = () => new Date('2026-03-02T09:20:00Z');
export const reference = 'SV-100001-abcdefgh';
export const transactionReference = 'MNFY|98|20260302101424|260516';
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
  expiresInMs: 24 * 3_600_000,
};

export const ok = (responseBody: unknown) => ({
  requestSuccessful: true,
  responseMessage: 'success',
  responseCode: '0',
  responseBody,
});
export const no = (responseMessage: string, responseCode: unknown = '99') => ({
  requestSuccessful: false,
  responseMessage,
  responseCode,
});
export const badKeys = no('', 99);

/** The next login, made with the account's keys. */
export const loginCall = () =>
  nock(baseUrl, { reqheaders: { authorization: basic } }).post('/api/v1/auth/login');
/** The next call that shows this token. */
export const api = (token = 'token-1') =>
  nock(baseUrl, { reqheaders: { authorization: `Bearer ${token}` } });
export const init = () => api().post('/api/v1/merchant/transactions/init-transaction');
export const query = (token?: string) =>
  api(token).get(`/api/v2/merchant/transactions/query?paymentReference=${reference}`);

export function opened(now: () => Date = clock, url = baseUrl): Provider {
  return monnify.open({ credentials, baseUrl: url, clock: now });
}

/** An account whose first call logs in and is given `token-1`. */
export function loggedIn(): Provider {
  loginCall().reply(200, ok({ accessToken: 'token-1', expiresIn: 3600 }));
  return opened();
}

/** The answer with a page of a list. */
export const springPage = (content: unknown, last: unknown = true) =>
  ok({ content, last, totalPages: 9, number: 0, size: 100 });

/** The query shape of a payment of ₦5,000.50, as the documentation shows it. */
export function transaction(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{
      transactionReference,
      paymentReference: reference,
      amountPaid: '5000.50',
      totalPayable: '5000.50',
      settlementAmount: '4925.49',
    },
    ...{
      paidOn: '02/03/2026 10:15:02 AM',
      paymentStatus: 'PAID',
      paymentDescription: 'Two tickets',
      currency: 'NGN',
    },
    ...{
      paymentMethod: 'CARD',
      product: { type: 'WEB_SDK', reference },
      cardDetails: { cardType: 'VISA', last4: '1111' },
    },
    ...{
      accountDetails: null,
      accountPayments: [],
      customer: { email: 'ada@example.com', name: 'Ada' },
      metaData: {},
    },
    ...overrides,
  };
}

/** Verifies a reference that Monnify answers with this transaction. */
export function verifyAs(overrides: Record<string, unknown>) {
  const account = loggedIn();
  query().reply(200, ok(transaction(overrides)));
  return account.verify(reference, options);
}

export const refundId = 'ref_01kjp4x8qdf7v8w9y0z1a2b3c4';
export const payment = {
  providerPaymentId: transactionReference,
  reference,
  capturedAt: new Date('2026-03-02T09:15:02Z'),
};

/** The shape of a refund of ₦100.50, as the documentation shows it. */
export function refundShape(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{
      refundReference: refundId,
      transactionReference,
      refundReason: 'Two of five came back',
      customerNote: 'Refund',
      refundAmount: 100.5,
    },
    ...{
      refundType: 'PARTIAL_REFUND',
      refundStatus: 'PENDING',
      refundStrategy: 'MERCHANT_WALLET',
      comment: 'Refund is being processed',
    },
    ...{ createdOn: '02/03/2026 11:20:02 AM', ...overrides },
  };
}
