import type { Answer, Call } from '../context.ts';
import { type Order, openPayment } from '../payments.ts';
import { isEmail, isWebAddress, post, Refusal } from '../wire.ts';
import { invalid, missing, ok, refuse } from './answers.ts';

const smallestKobo = 5_000;
const largestKobo = 100_000_000_000;

/** `POST /transaction/initialize`: a hosted payment. A reference is accepted once and for all. */
const initialize = post('/transaction/initialize', (context, call) => {
  const payment = openPayment(context, call.account, readOrder(call));
  if (!payment) throw new Refusal(duplicateReference);
  const { accessCode, reference } = payment;
  const data = {
    authorization_url: `${context.url}/paystack/checkout/${accessCode}`,
    access_code: accessCode,
    reference,
  };
  return { ...ok('Authorization URL created', data), accepted: true };
});

const duplicateReference: Answer = {
  status: 400,
  body: {
    status: false,
    message: 'Duplicate Transaction Reference',
    meta: { nextStep: 'Try and create the Transaction or Charge with a new reference' },
    type: 'validation_error',
    code: 'duplicate_reference',
    errorCodeMappingNotFound: false,
  },
};

function readOrder({ body }: Call): Order {
  const { email, callback_url: callbackUrl, currency = 'NGN' } = body;
  const reference = toReference(body.reference);
  if (!email) return missing('Email Address is required', 'email');
  if (!isEmail(email)) return invalid('Invalid Email Address Passed', 'Pass a valid email address');
  if (body.amount === undefined || body.amount === '')
    return missing('You must specify a valid amount', 'amount');
  const amountKobo = toKobo(body.amount);
  if (amountKobo < smallestKobo)
    return invalid('Invalid Amount Sent', 'Send a whole number of kobo, 5000 or more');
  if (amountKobo > largestKobo)
    return invalid('Transaction amount limit exceeded', 'Send a smaller amount');
  if (currency !== 'NGN')
    return refuse(400, 'Currency not supported by merchant', 'unsupported_currency', 'Send NGN');
  if (reference !== undefined && !/^[A-Za-z0-9.=-]{1,200}$/.test(reference))
    return invalid('Invalid character in transaction reference');
  if (body.channels !== undefined && !Array.isArray(body.channels))
    return invalid('Channels should be an array');
  if (callbackUrl && !isWebAddress(callbackUrl)) return invalid('Invalid callback URL');
  return {
    reference,
    email,
    requestedKobo: amountKobo,
    callbackUrl: callbackUrl ? String(callbackUrl) : undefined,
    metadata: toMetadata(body.metadata),
  };
}

function toReference(reference: unknown): string | undefined {
  return reference === undefined || reference === null || reference === ''
    ? undefined
    : String(reference);
}

/** Kobo arrive as a number or as digits; anything else is worth nothing. */
const toKobo = (amount: unknown): number =>
  /^\d{1,15}$/.test(String(amount)) ? Number(amount) : 0;

/** Metadata comes as an object or as that object's JSON. */
function toMetadata(metadata: unknown): string | undefined {
  if (metadata === undefined) return undefined;
  if (typeof metadata !== 'string') return JSON.stringify(metadata);
  try {
    return JSON.stringify(JSON.parse(metadata));
  } catch {
    return JSON.stringify(metadata);
  }
}

const createsUnder = (body: Call['body']) => toReference(body.reference);

export const creation = [{ ...initialize, createsUnder }];
