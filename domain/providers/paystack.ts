import { errorOf, isGood, isNotFound } from './paystack/answers.ts';
import { callerOf } from './paystack/call.ts';
import { listDisputes } from './paystack/disputes.ts';
import { readEvent, signatureHolds } from './paystack/notification.ts';
import { paystackPayouts } from './paystack/payouts.ts';
import { createRefund, findRefund, listRefunds } from './paystack/refunds.ts';
import { absent, readTransaction } from './paystack/transaction.ts';
import {
  type Account,
  type CallOptions,
  type PaymentOrder,
  type Provider,
  ProviderError,
} from './provider.ts';
import { isObject } from './read.ts';

/** Opens a Paystack account. `credentials.secret_key` is the account's `sk_…` key. */
export function paystack(account: Account): Provider {
  const secretKey = account.credentials.secret_key ?? '';
  const call = callerOf(account, secretKey);

  return {
    rejectsDuplicates: true,

    async create(order, { timeoutMs }: CallOptions) {
      const answer = await call(
        { method: 'POST', body: bodyOf(order), timeoutMs, stage: 'create' },
        '/transaction/initialize',
      );
      if (!isGood(answer)) throw errorOf(answer, 'create');
      const url = isObject(answer.json.data) ? answer.json.data.authorization_url : undefined;
      if (typeof url === 'string' && /^https?:/i.test(url) && URL.canParse(url))
        return { url, linkLivesMs: null };
      throw new ProviderError('unknown', 'create', 'the answer holds no address of a pay page');
    },

    async verify(reference, { timeoutMs }: CallOptions) {
      const answer = await call(
        { method: 'GET', timeoutMs, stage: 'verify' },
        `/transaction/verify/${encodeURIComponent(reference)}`,
      );
      if (isNotFound(answer)) return absent(answer.raw);
      if (isGood(answer) && isObject(answer.json.data))
        return readTransaction(answer.json.data, answer.raw);
      throw errorOf(answer, 'verify');
    },

    refundsOnce: false,
    refund: (order, options) => createRefund(call, order, options),
    findRefund: (wanted, options) => findRefund(call, wanted, options),
    listRefunds: (payment, options) => listRefunds(call, payment, options),
    listDisputes: (query, options) => listDisputes(call, query, options),

    async checkCredentials({ timeoutMs }: CallOptions) {
      const answer = await call({ method: 'GET', timeoutMs, stage: 'check' }, '/balance');
      // About the address, whoever says it, and not about the key.
      if (answer.status === 404)
        throw new ProviderError('unknown', 'check', 'there is no balance at this address');
      if (!isGood(answer)) throw errorOf(answer, 'check');
    },

    ...paystackPayouts(call),

    readNotification(headers, body) {
      return signatureHolds(headers['x-paystack-signature'], body, secretKey)
        ? readEvent(body)
        : undefined;
    },
  };
}

/** Amounts are kobo here. `reference` is the only key we have to find the payment by when its answer is lost. */
function bodyOf(order: PaymentOrder): object {
  return {
    email: order.email,
    amount: order.amountKobo,
    currency: order.currency,
    reference: order.reference,
    callback_url: order.callbackUrl,
    metadata: {
      description: order.description,
      customer_name: order.name,
      customer_phone: order.phone,
    },
  };
}
