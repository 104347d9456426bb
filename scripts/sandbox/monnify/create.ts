import type { Call } from '../context.ts';
import { type Order, openPayment } from '../payments.ts';
import { isEmail, isWebAddress, post, toFields, toKobo, toText } from '../wire.ts';
import { malformed, merchantName, ok, refuse } from './answers.ts';

const smallestKobo = 2_000;
const largestKobo = 100_000_000_000;
/** A checkout and its transfer account live forty minutes. */
const linkMs = 40 * 60_000;
const INIT = '/api/v1/merchant/transactions/init-transaction';
const methods = ['CARD', 'ACCOUNT_TRANSFER', 'USSD', 'PHONE_NUMBER'];
const methodsOfSdk = [...methods, 'DIRECT_DEBIT'];

/** `POST …/init-transaction`: opens a hosted payment. A reference is accepted once and for all. */
const initTransaction = post(INIT, (context, call) => {
  const { account, body } = call;
  const order = readOrder(call, context.now());
  const payment =
    openPayment(context, account, order) ?? refuse(422, 'Duplicate payment reference');
  const answer = ok({
    transactionReference: payment.accessCode,
    paymentReference: payment.reference,
    merchantName: merchantName(account),
    apiKey: account.credentials.api_key,
    redirectUrl: order.callbackUrl ?? null,
    enabledPaymentMethod: body.paymentMethods ?? methods,
    checkoutUrl: `${context.url}/monnify/checkout/${payment.accessCode}`,
    incomeSplitConfig: [],
    metaData: toFields(body.metaData),
  });
  return { ...answer, accepted: true };
});

function readOrder({ account, body }: Call, now: Date): Order {
  const { redirectUrl, paymentMethods, currencyCode, contractCode } = body;
  const reference = toText(body.paymentReference);
  const email = toText(body.customerEmail);
  const amountKobo = toKobo(body.amount);
  if (!reference || reference.length > 255 || !isEmail(email)) return malformed();
  if (amountKobo === undefined || !currencyCode || !contractCode) return malformed();
  if (redirectUrl && !isWebAddress(redirectUrl)) return malformed();
  if (paymentMethods !== undefined && !areMethods(paymentMethods)) return malformed();
  if (amountKobo < smallestKobo) return refuse(400, 'Amount must be at least 20.00');
  if (amountKobo > largestKobo) return refuse(400, 'Amount is above the limit');
  if (currencyCode !== 'NGN') return refuse(422, 'Unknown currency code supplied');
  if (String(contractCode) !== account.credentials.contract_code)
    return refuse(422, 'Could not find specified contract');
  return {
    reference,
    email,
    customerName: toText(body.customerName),
    description: toText(body.paymentDescription),
    requestedKobo: amountKobo,
    callbackUrl: redirectUrl ? String(redirectUrl) : undefined,
    metadata: JSON.stringify(toFields(body.metaData)),
    linkExpiresAt: new Date(now.getTime() + linkMs),
  };
}

function areMethods(value: unknown): boolean {
  return Array.isArray(value) && value.every((method) => methodsOfSdk.includes(method));
}

const createsUnder = (body: Call['body']) => toText(body.paymentReference);

export const creation = [{ ...initTransaction, createsUnder }];
