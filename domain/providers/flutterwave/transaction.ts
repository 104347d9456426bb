import {
  type Channel,
  type ProviderCapture,
  ProviderError,
  type Verification,
} from '../provider.ts';
import { dateOf, koboOfNaira, plainText, roundedKoboOfNaira } from '../read.ts';

/** A transaction as Flutterwave gives it: one try of a payer's to pay under a `tx_ref`, which may have several. */
export type Transaction = Record<string, unknown>;

/** `payment_type` → ours. One not named is `other`, and shown to a person. (https://developer.flutterwave.com/v3.0/docs/payment-methods) */
const channels: Record<string, Channel> = {
  card: 'card',
  applepay: 'card',
  googlepay: 'card',
  bank_transfer: 'bank_transfer',
  banktransfer: 'bank_transfer',
  ussd: 'ussd',
  nqr: 'qr',
  qr: 'qr',
  mpesa: 'mobile_money',
  account: 'other',
  internetbanking: 'other',
  enaira: 'other',
  opay: 'other',
  barter: 'other',
  credit: 'other',
};

/** Beginnings of a `payment_type` that goes on with a country or a network: `mobilemoneyghana`, `account-ach-uk`. */
const channelFamilies: [beginning: string, channel: Channel][] = [
  ['mobilemoney', 'mobile_money'],
  ['account-ach', 'other'],
];

/** `data.status` → what it says of one try. The pay page takes another after one that failed. A refund leaves `successful` as it is. */
const states: Record<string, Verification['state']> = {
  pending: 'unpaid',
  successful: 'paid',
  failed: 'retrying',
  cancelled: 'retrying',
};

export function statusOf(transaction: Transaction): string {
  return plainText(transaction.status, 50).toLowerCase();
}

export function stateOf(transaction: Transaction): Verification['state'] {
  const status = statusOf(transaction);
  return Object.hasOwn(states, status) ? states[status]! : 'unknown';
}

/** Why a try failed, in the words of the payer's bank where there are any. */
export function failureOf(transaction: Transaction): string {
  const text = plainText(transaction.processor_response);
  return (
    text ||
    (statusOf(transaction) === 'cancelled'
      ? 'The payment was cancelled.'
      : 'The payment was declined.')
  );
}

/** Ids are numbers, in lists their digits. One that is missing cannot tell two payments apart. */
export function idOf(transaction: Transaction, stage = 'verify'): string {
  const id =
    typeof transaction.id === 'number' ? String(transaction.id) : plainText(transaction.id);
  if (!/^\d{1,20}$/.test(id)) throw new ProviderError('unknown', stage, 'a payment carries no id');
  return id;
}

/** Words of a successful try that no table of ours holds. */
export function unknownChannel(transaction: Transaction): string[] {
  const type = typeOf(transaction);
  return type === '' || channelOf(type) ? [] : [`channel "${type}"`];
}

/**
 * Reads a successful try. Its mode is not stated, nor when it was paid: what stands there is when the payer began. Throws `unknown`
 * where it does not say plainly how much was paid, or under which id.
 */
export function readCapture(transaction: Transaction, stage = 'verify'): ProviderCapture {
  const createdAt = dateOf(transaction.created_at);
  return {
    providerPaymentId: idOf(transaction, stage),
    reference: plainText(transaction.tx_ref),
    ...amountsOf(transaction, stage),
    currency: plainText(transaction.currency, 10).toUpperCase(),
    channel: channelOf(typeOf(transaction)) ?? 'other',
    mode: null,
    createdAt,
    capturedAt: createdAt,
  };
}

function typeOf(transaction: Transaction): string {
  return plainText(transaction.payment_type, 50).toLowerCase();
}

function channelOf(type: string): Channel | undefined {
  if (Object.hasOwn(channels, type)) return channels[type];
  return channelFamilies.find(([beginning]) => type.startsWith(beginning))?.[1];
}

/**
 * `amount` is what was asked, `charged_amount` what the payer paid, `amount_settled` what the merchant gets. Where the payer bears the
 * fee, what they paid is more by just that, and the asked counts; any other difference is money paid too little, or too much.
 */
function amountsOf(
  transaction: Transaction,
  stage: string,
): { amountKobo: number; feeKobo: number | null } {
  const askedKobo = koboOfNaira(transaction.amount, stage);
  const chargedKobo = isStated(transaction.charged_amount)
    ? roundedKoboOfNaira(transaction.charged_amount)
    : askedKobo;
  const payersFeeKobo =
    chargedKobo === null ? 0 : payersFeeOf(transaction, askedKobo, chargedKobo - askedKobo);
  const isAsked = chargedKobo === askedKobo || payersFeeKobo > 0;
  const amountKobo = isAsked ? askedKobo : koboOfNaira(transaction.charged_amount, stage);
  const settledKobo = settledOf(transaction);
  const feeKobo = settledKobo === null ? feeOf(transaction) : amountKobo - settledKobo;
  const merchantsKobo =
    settledKobo === null && feeKobo !== null ? feeKobo - payersFeeKobo : feeKobo;
  return { amountKobo, feeKobo: merchantsKobo === null ? null : Math.max(0, merchantsKobo) };
}

/** How much of the fee the payer bore: all that was paid on top of the asked, where that is what a fee would be. */
function payersFeeOf(transaction: Transaction, askedKobo: number, onTopKobo: number): number {
  if (onTopKobo <= 0) return 0;
  const [settledKobo, feeKobo] = [settledOf(transaction), feeOf(transaction)];
  const nothingKnown = settledKobo === null && feeKobo === null;
  const isFee =
    nothingKnown ||
    settledKobo === askedKobo ||
    onTopKobo === feeKobo ||
    onTopKobo === roundedKoboOfNaira(transaction.app_fee);
  return isFee ? onTopKobo : 0;
}

/** What is settled; null while not stated. No fee takes all of a payment: nothing settled is nothing worked out yet. */
function settledOf(transaction: Transaction): number | null {
  return roundedKoboOfNaira(transaction.amount_settled) || null;
}

/** Flutterwave's fee and the merchant's own; null while the first is not stated. */
function feeOf(transaction: Transaction): number | null {
  const feeKobo = roundedKoboOfNaira(transaction.app_fee);
  return feeKobo === null ? null : feeKobo + (roundedKoboOfNaira(transaction.merchant_fee) ?? 0);
}

export function isStated(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}
