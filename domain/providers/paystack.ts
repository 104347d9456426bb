import { createHmac, timingSafeEqual } from 'node:crypto';
import { callProvider, type ProviderAnswer, type ProviderRequest } from './http.ts';
import { type CallOptions, type Channel, type Provider, type ProviderCapture, ProviderError, type Verification } from './provider.ts';

/** Paystack's `channel` → ours. Anything not named is `other`. (https://paystack.com/docs/payments/payment-channels/) */
const channels: Record<string, Channel> = {
  card: 'card',
  apple_pay: 'card',
  bank_transfer: 'bank_transfer',
  dedicated_nuban: 'bank_transfer',
  ussd: 'ussd',
  qr: 'qr',
  mobile_money: 'mobile_money',
};

/** Paystack's `data.status` → what it says of a payment. A reversed payment was taken first. (https://paystack.com/docs/payments/verify-payments/) */
const states: Record<string, Verification['state']> = {
  abandoned: 'unpaid',
  ongoing: 'unpaid',
  pending: 'unpaid',
  processing: 'unpaid',
  queued: 'unpaid',
  failed: 'declined',
  success: 'paid',
  reversed: 'paid',
  'reversal pending': 'paid',
  'reversal-pending': 'paid',
};

/** The verify shape, as far as we read it. Every field but `status` may be missing. */
interface PaystackTransaction {
  id?: number | string;
  domain?: string;
  status?: string;
  reference?: string;
  amount?: number | string;
  requested_amount?: number | string | null;
  fees?: number | string | null;
  currency?: string;
  channel?: string | null;
  gateway_response?: string | null;
  paid_at?: string | null;
  created_at?: string | null;
}

/** Opens a Paystack account. `credentials.secret_key` is the account's `sk_…` key. */
export function paystack(account: { credentials: Record<string, string>; baseUrl: string }): Provider {
  const secretKey = account.credentials.secret_key ?? '';
  const call = (request: Pick<ProviderRequest, 'method' | 'body' | 'timeoutMs' | 'stage'>, path: string) =>
    callProvider({
      ...request,
      url: `${account.baseUrl}${path}`,
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json', accept: 'application/json' },
    });

  return {
    rejectsDuplicates: true,

    async create(order, { timeoutMs }: CallOptions) {
      const body = {
        email: order.email,
        amount: order.amountKobo,
        currency: order.currency,
        reference: order.reference,
        callback_url: order.callbackUrl,
        metadata: { description: order.description, customer_name: order.name, customer_phone: order.phone },
      };
      const answer = await call({ method: 'POST', body, timeoutMs, stage: 'create' }, '/transaction/initialize');
      const url = isObject(answer.json.data) ? answer.json.data.authorization_url : undefined;
      if (answer.json.status !== true || answer.status >= 300) throw createError(answer);
      if (typeof url !== 'string') throw new ProviderError('unknown', 'create', 'the answer holds no authorization_url');
      return { url, linkExpiresAt: null };
    },

    async verify(reference, { timeoutMs }: CallOptions) {
      const path = `/transaction/verify/${encodeURIComponent(reference)}`;
      const answer = await call({ method: 'GET', timeoutMs, stage: 'verify' }, path);
      if (isNotFound(answer)) return { state: 'absent', status: 'not found', captures: [], failureMessage: null, raw: answer.raw };
      if (answer.json.status !== true || !isObject(answer.json.data)) throw readError(answer, 'verify');
      return readTransaction(answer.json.data as PaystackTransaction, answer.raw);
    },

    readNotification(headers, body) {
      if (!signatureHolds(headers['x-paystack-signature'], body, secretKey)) return undefined;
      return readEvent(body);
    },
  };
}

function readTransaction(transaction: PaystackTransaction, raw: string): Verification {
  const status = String(transaction.status ?? '').toLowerCase();
  const state = states[status] ?? 'unknown';
  const captures = state === 'paid' ? [readCapture(transaction)] : [];
  const failureMessage = state === 'declined' ? (transaction.gateway_response ?? 'The payment was declined.') : null;
  return { state, status, captures, failureMessage, raw };
}

function readCapture(transaction: PaystackTransaction): ProviderCapture {
  const createdAt = dateOf(transaction.created_at);
  return {
    providerPaymentId: String(transaction.id),
    reference: String(transaction.reference),
    ...amountsOf(transaction),
    currency: String(transaction.currency),
    channel: channels[String(transaction.channel ?? '').toLowerCase()] ?? 'other',
    mode: transaction.domain ?? null,
    createdAt,
    capturedAt: dateOf(transaction.paid_at) ?? createdAt,
  };
}

/**
 * `amount` is what the payer was charged, `requested_amount` what we asked. Where the payer bears the fee the two differ by just that,
 * and the merchant pays none; where less than asked was paid, the less counts.
 */
function amountsOf(transaction: PaystackTransaction): { amountKobo: number; feeKobo: number | null } {
  const charged = koboOf(transaction.amount);
  const feeKobo = transaction.fees === null || transaction.fees === undefined ? null : koboOf(transaction.fees);
  const requested = transaction.requested_amount;
  if (requested === null || requested === undefined || charged <= koboOf(requested)) return { amountKobo: charged, feeKobo };
  if (feeKobo === null) return { amountKobo: koboOf(requested), feeKobo };
  return charged - feeKobo === koboOf(requested) ? { amountKobo: koboOf(requested), feeKobo: 0 } : { amountKobo: charged, feeKobo };
}

function koboOf(value: number | string | undefined): number {
  const kobo = Number(value);
  if (value === undefined || value === '' || !Number.isSafeInteger(kobo) || kobo < 0) {
    throw new ProviderError('unknown', 'verify', `an amount is not whole kobo: ${String(value)}`);
  }
  return kobo;
}

function dateOf(value: string | null | undefined): Date | null {
  const date = value ? new Date(value) : null;
  return date && !Number.isNaN(date.getTime()) ? date : null;
}

function createError(answer: ProviderAnswer): ProviderError {
  const message = messageOf(answer);
  if (answer.json.code === 'duplicate_reference' || /duplicate transaction reference/i.test(message)) {
    return new ProviderError('duplicate', 'create', message);
  }
  return readError(answer, 'create');
}

/** 429 means later, 5xx and anything unreadable may have happened, every other 4xx is a plain no. */
function readError(answer: ProviderAnswer, stage: string): ProviderError {
  const message = `${messageOf(answer)} (HTTP ${answer.status})`;
  if (answer.status === 429) return new ProviderError('retryable', stage, message);
  if (answer.status >= 400 && answer.status < 500) return new ProviderError('refused', stage, message);
  return new ProviderError('unknown', stage, message);
}

function messageOf(answer: ProviderAnswer): string {
  return typeof answer.json.message === 'string' ? answer.json.message : 'no message';
}

/** Paystack answers an unknown reference with 404, or with 400 and this code or text. */
function isNotFound(answer: ProviderAnswer): boolean {
  if (answer.status === 404) return true;
  return answer.status === 400 && (answer.json.code === 'transaction_not_found' || /reference not found/i.test(messageOf(answer)));
}

/** HMAC-SHA512 of the raw bytes keyed with the secret key, lowercase hex. (https://paystack.com/docs/payments/webhooks/) */
function signatureHolds(header: string | string[] | undefined, body: Buffer, secretKey: string): boolean {
  if (typeof header !== 'string' || secretKey === '') return false;
  const expected = Buffer.from(createHmac('sha512', secretKey).update(body).digest('hex'));
  const given = Buffer.from(header);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Charge events carry the payment itself, refund and dispute events name or nest it. */
function readEvent(body: Buffer) {
  const json = parse(body);
  const data = isObject(json.data) ? json.data : {};
  const nested = isObject(data.transaction) ? data.transaction.reference : undefined;
  const references = [data.reference, data.transaction_reference, nested].filter((value) => typeof value === 'string');
  return { event: typeof json.event === 'string' ? json.event : 'unknown', references: [...new Set(references)] };
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
