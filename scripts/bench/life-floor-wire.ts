import type { IncomingHttpHeaders } from 'node:http';
import { isSigned } from '../../domain/providers/adapter/notification.ts';
import { koboOfNaira, nairaOf } from '../../domain/providers/adapter/read.ts';
import type { Credentials } from '../../domain/shared/credentials.ts';

export interface Order {
  reference: string;
  amount_kobo: number;
  email: string;
  name: string;
  phone: string;
  description: string;
}

/** As a verify shows it. */
export interface Payment {
  reference: string;
  isPaid: boolean;
  id: string;
  amountKobo: number;
  feeKobo: number;
  channel: string;
}

/** As much of a provider's API as one payment needs, each by a single call. */
interface Wire {
  createPath: string;
  creation(order: Order, callbackUrl: string, credentials: Credentials): object;
  linkIn(answer: string): string;
  isGenuine(headers: IncomingHttpHeaders, body: Buffer, credentials: Credentials): boolean;
  /** Asks about the payment of which this notification tells. */
  verifyPath(notification: string): string;
  paymentIn(answer: string): Payment;
}

export const wires: Readonly<Record<string, Wire>> = {
  paystack: {
    createPath: '/transaction/initialize',
    creation: ({ reference, amount_kobo, email, ...order }, callbackUrl) => ({
      ...{ email, amount: amount_kobo, currency: 'NGN', reference, callback_url: callbackUrl },
      metadata: {
        description: order.description,
        customer_name: order.name,
        customer_phone: order.phone,
      },
    }),
    linkIn: (answer) => JSON.parse(answer).data.authorization_url,
    isGenuine: ({ 'x-paystack-signature': signature }, body, { secret_key }) =>
      isSigned(signature, body, secret_key),
    verifyPath: (notification) => `/transaction/verify/${JSON.parse(notification).data.reference}`,
    paymentIn(answer) {
      const { id, reference, status, currency, amount, fees, channel } = JSON.parse(answer).data;
      const isPaid = status === 'success' && currency === 'NGN';
      return { id: String(id), reference, isPaid, amountKobo: amount, feeKobo: fees, channel };
    },
  },
  flutterwave: {
    createPath: '/payments',
    creation: ({ reference, amount_kobo, email, name, phone, description }, redirectUrl) => ({
      ...{ tx_ref: reference, amount: nairaOf(amount_kobo), currency: 'NGN' },
      ...{ redirect_url: redirectUrl, customer: { email, name, phonenumber: phone } },
      ...{ customizations: { description }, meta: { reference } },
      configurations: { session_duration: 1_440 },
    }),
    linkIn: (answer) => JSON.parse(answer).data.link,
    isGenuine: ({ 'verif-hash': hash }, _body, { secret_hash }) => hash === secret_hash,
    verifyPath: (notification) => `/transactions/${JSON.parse(notification).data.id}/verify`,
    paymentIn(answer) {
      const { data } = JSON.parse(answer);
      return {
        ...{ id: String(data.id), reference: data.tx_ref, channel: data.payment_type },
        isPaid: data.status === 'successful' && data.currency === 'NGN',
        amountKobo: koboOfNaira(data.amount),
        feeKobo: koboOfNaira(data.app_fee),
      };
    },
  },
  monnify: {
    createPath: '/api/v1/merchant/transactions/init-transaction',
    creation: ({ reference, amount_kobo, email, name, phone, description }, redirectUrl, keys) => ({
      ...{ amount: nairaOf(amount_kobo), currencyCode: 'NGN', contractCode: keys.contract_code },
      ...{ paymentReference: reference, customerEmail: email, customerName: name, redirectUrl },
      ...{ paymentDescription: description, metaData: { customer_phone: phone } },
    }),
    linkIn: (answer) => JSON.parse(answer).responseBody.checkoutUrl,
    isGenuine: ({ 'monnify-signature': signature }, body, { secret_key }) =>
      isSigned(signature, body, secret_key),
    verifyPath(notification) {
      const { paymentReference } = JSON.parse(notification).eventData;
      return `/api/v2/merchant/transactions/query?paymentReference=${paymentReference}`;
    },
    paymentIn(answer) {
      const { responseBody: paid } = JSON.parse(answer);
      const amountKobo = koboOfNaira(paid.amountPaid);
      return {
        ...{ id: paid.transactionReference, reference: paid.paymentReference, amountKobo },
        isPaid: paid.paymentStatus === 'PAID' && paid.currency === 'NGN',
        feeKobo: amountKobo - koboOfNaira(paid.settlementAmount),
        channel: paid.paymentMethod.toLowerCase(),
      };
    },
  },
};
