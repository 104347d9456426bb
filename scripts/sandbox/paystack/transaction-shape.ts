import { hash } from 'node:crypto';
import type { Account, Channel, Payment, PaymentStatus } from '../records.ts';
import { unfilled } from '../wire.ts';

/** The state of a payment: an unpaid one is "abandoned" from its first second. */
export const transactionStatus: Record<PaymentStatus, string> = {
  ...{ open: 'abandoned', failed: 'failed', paid: 'success', reversing: 'reversal pending' },
  reversed: 'reversed',
};

export const channelName: Record<Channel, string> = {
  ...{ card: 'card', bank_transfer: 'bank_transfer', ussd: 'ussd', qr: 'qr' },
  ...{ mobile_money: 'mobile_money', other: 'bank' },
};

/** A transaction as verify, the lists and `charge.success` show it. */
export function transactionShape(account: Account, payment: Payment) {
  const { createdAt, paidAt } = payment;
  return {
    ...transactionSummary(account, payment),
    ...unfilled('receipt_number message fees_split fees_breakdown plan order_id source connect'),
    ...{ pos_transaction_data: null, split: {}, plan_object: {}, subaccount: {} },
    gateway_response: payment.gatewayResponse ?? 'The transaction was not completed',
    ...{ created_at: createdAt, createdAt, transaction_date: createdAt, paidAt },
    ip_address: payment.attempts > 0 ? '127.0.0.1' : null,
    metadata: payment.metadata === null ? '' : JSON.parse(payment.metadata),
    log: payment.attempts > 0 ? log(payment) : null,
    fees: payment.feeKobo,
    authorization: payment.paidKobo === null ? {} : authorization(payment),
    customer: customerShape(account, payment),
    requested_amount: payment.requestedKobo,
  };
}

/** The short form that stands inside a refund. */
export function transactionSummary(account: Account, payment: Payment) {
  return {
    id: payment.id,
    domain: account.mode,
    status: transactionStatus[payment.status],
    reference: payment.reference,
    amount: payment.paidKobo ?? payment.requestedKobo,
    paid_at: payment.paidAt,
    channel: payment.channel && channelName[payment.channel],
    currency: 'NGN',
  };
}

/** A customer is an e-mail address at an account: the same one always has the same id and code. */
export function customerShape(account: Account, { email }: Payment) {
  const digest = hash('sha256', `${account.id}:${email}`);
  return {
    id: 100_000_000 + Number.parseInt(digest.slice(0, 7), 16),
    ...unfilled('first_name last_name phone metadata international_format_phone'),
    email,
    customer_code: `CUS_${digest.slice(0, 15)}`,
    risk_action: 'default',
  };
}

function log({ createdAt, paidAt, attempts, paidKobo, channel }: Payment) {
  const paid = paidKobo !== null;
  const timeSpent = paidAt ? Math.round((paidAt.getTime() - createdAt.getTime()) / 1000) : 0;
  const message = `${paid ? 'Successfully paid' : 'Attempted to pay'} with ${channel}`;
  return {
    start_time: Math.floor(createdAt.getTime() / 1000),
    time_spent: timeSpent,
    attempts,
    errors: paid ? attempts - 1 : attempts,
    success: paid,
    mobile: false,
    input: [],
    history: [{ type: paid ? 'success' : 'action', message, time: timeSpent }],
  };
}

const testCard = {
  ...{ bin: '408408', last4: '4081', exp_month: '12', exp_year: '2030', card_type: 'visa ' },
  ...{ bank: 'TEST BANK', brand: 'visa', reusable: true },
};

const sender = {
  ...{ sender_bank: 'Zenith Bank', sender_bank_account_number: 'XXXXXX0000' },
  ...{ sender_name: 'SANDBOX CUSTOMER', sender_country: 'NG', narration: 'Sandbox transfer' },
  ...{ receiver_bank: 'Test Bank', receiver_bank_account_number: '0000000000' },
};

/** card_type ends in a space, as it does on the real wire. */
function authorization({ id, channel }: Payment) {
  const common = {
    authorization_code: `AUTH_${id.toString(36)}`,
    channel: channelName[channel ?? 'other'],
    country_code: 'NG',
  };
  const named = { ...common, signature: null, account_name: null };
  if (channel === 'card') return { ...named, ...testCard, signature: `SIG_${id.toString(36)}` };
  if (channel === 'bank_transfer') return { ...named, reusable: false, ...sender };
  return { ...named, reusable: false };
}
