import type { Call, SandboxContext } from '../context.ts';
import { findPage, hasEnded, type Order, openPayment } from '../payments.ts';
import { isEmail, isWebAddress, post, toFields, toKobo } from '../wire.ts';
import { ok, refuse } from './answers.ts';

const defaultMinutes = 30;
const mostMinutes = 1440;

/** `POST /payments`: issues a link; a `tx_ref` used before is no hindrance. */
const createHostedLink = post('/payments', (context, call) => {
  const order = readOrder(call, context.now());
  const { accessCode } = openPayment(context, call.account, order, 'link')!;
  const link = `${context.url}/flutterwave/checkout/${accessCode}`;
  return { ...ok('Hosted Link', { link }), accepted: true };
});

const disableLink = post('/payments/link/disable', (context, { account, body }) => {
  const { store, now } = context;
  const link = findPage(store, accessCodeOf(context, body.link));
  if (link?.accountId !== account.id) return refuse(400, 'Payment link not found');
  if (hasEnded(link, now())) return refuse(400, 'This payment link is currently inactive');
  store.payment.change(link, { linkExpiresAt: now() });
  return ok('Payment link disabled', null);
});

function accessCodeOf(context: SandboxContext, link: unknown): string {
  const prefix = `${context.url}/flutterwave/checkout/`;
  return typeof link === 'string' && link.startsWith(prefix) ? link.slice(prefix.length) : '';
}

function readOrder({ body }: Call, now: Date): Order {
  const { tx_ref: reference, currency = 'NGN', redirect_url: callbackUrl } = body;
  const customer = toFields(body.customer);
  const amountKobo = toKobo(body.amount);
  const minutes = sessionMinutes(body);
  if (typeof reference !== 'string' || !/^[^\0]{1,255}$/.test(reference))
    return refuse(400, 'tx_ref is required');
  if (body.amount === undefined || body.amount === '') return refuse(400, 'amount is required');
  if (!amountKobo)
    return refuse(400, 'amount must be a positive number of naira with two decimals at most');
  if (currency !== 'NGN') return refuse(400, 'currency is not supported by this merchant');
  if (!customer.email) return refuse(400, 'customer.email is required');
  if (!isEmail(customer.email)) return refuse(400, 'customer.email must be a valid email');
  if (!callbackUrl) return refuse(400, 'redirect_url is required');
  if (!isWebAddress(callbackUrl)) return refuse(400, 'redirect_url must be a valid url');
  if (minutes === undefined)
    return refuse(400, 'session_duration must be a number of minutes, 1440 at most');
  return {
    reference,
    email: customer.email,
    customerName: toText(customer.name),
    customerPhone: toText(customer.phonenumber ?? customer.phone_number),
    description: toText(toFields(body.customizations).description),
    requestedKobo: amountKobo,
    callbackUrl: String(callbackUrl),
    metadata: body.meta === undefined ? undefined : JSON.stringify(body.meta),
    linkExpiresAt: new Date(now.getTime() + minutes * 60_000),
  };
}

/** The documentation spells the object both ways. */
function sessionMinutes({ configurations, configuration }: Record<string, unknown>) {
  const asked = toFields(configurations ?? configuration).session_duration ?? defaultMinutes;
  const minutes = Number(asked);
  return Number.isInteger(minutes) && minutes >= 1 && minutes <= mostMinutes ? minutes : undefined;
}

function toText(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : String(value);
}

const createsUnder = (body: Call['body']) => toText(body.tx_ref || undefined);

export const creation = [{ ...createHostedLink, createsUnder }, disableLink];
