import type { Answer, Call, Endpoint, SandboxContext } from '../context.ts';
import { isEmail, isWebAddress } from '../fields.ts';
import { toKobo } from '../naira.ts';
import type { Order } from '../new-pages.ts';
import { createPayment } from '../payments.ts';
import { malformed, ok, refuse } from './answers.ts';
import { merchantName } from './merchant.ts';
import { newTransactionReference } from './transaction-reference.ts';

const smallestKobo = 2_000;
const largestKobo = 100_000_000_000;
/** A checkout and its transfer account live forty minutes. */
const linkMs = 40 * 60_000;
const methods = ['CARD', 'ACCOUNT_TRANSFER', 'USSD', 'PHONE_NUMBER'];
const methodsOfSdk = [...methods, 'DIRECT_DEBIT'];

/**
 * `POST /api/v1/merchant/transactions/init-transaction`: opens a hosted payment. A reference is
 * accepted once and for all.
 */
export const initTransaction: Endpoint = {
  method: 'post',
  path: '/api/v1/merchant/transactions/init-transaction',
  counts: { as: 'create', reference: ({ body }) => toText(body.paymentReference) },
  async handle(context, call) {
    const order = readOrder(call, context.now());
    return 'status' in order ? order : open(context, call, order);
  },
};

async function open(
  context: SandboxContext,
  { account, body }: Call,
  order: Order,
): Promise<Answer> {
  const transactionReference = await newTransactionReference(context, context.now());
  const payment = await createPayment(context, account, {
    ...order,
    accessCode: transactionReference,
  });
  if (!payment) return { ...refuse(422, 'Duplicate payment reference'), duplicate: true };
  const answer = ok({
    transactionReference,
    paymentReference: payment.reference,
    merchantName: merchantName(account),
    apiKey: account.credentials.api_key,
    redirectUrl: order.callbackUrl ?? null,
    enabledPaymentMethod: body.paymentMethods ?? methods,
    checkoutUrl: `${context.url}/monnify/checkout/${transactionReference}`,
    incomeSplitConfig: [],
    metaData: toObject(body.metaData),
  });
  return { ...answer, accepted: true };
}

function readOrder({ account, body }: Call, now: Date): Order | Answer {
  const { redirectUrl, paymentMethods, currencyCode, contractCode } = body;
  const reference = toText(body.paymentReference);
  const email = toText(body.customerEmail);
  const amountKobo = toKobo(body.amount);
  if (
    !reference ||
    reference.length > 255 ||
    !isEmail(email) ||
    amountKobo === undefined ||
    !currencyCode ||
    !contractCode
  )
    return malformed;
  if (redirectUrl && !isWebAddress(redirectUrl)) return malformed;
  if (paymentMethods !== undefined && !areMethods(paymentMethods)) return malformed;
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
    amountKobo,
    callbackUrl: redirectUrl ? String(redirectUrl) : undefined,
    metadata: JSON.stringify(toObject(body.metaData)),
    linkExpiresAt: new Date(now.getTime() + linkMs),
  };
}

/** Text that can be kept; undefined for anything else. */
function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.replaceAll('\0', '') : undefined;
}

function toObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function areMethods(value: unknown): boolean {
  return Array.isArray(value) && value.every((method) => methodsOfSdk.includes(method));
}
