import { hash } from 'node:crypto';
import { isPaid } from '../payments.ts';
import type { Account, Channel, Payment } from '../records.ts';
import { toNaira } from '../wire.ts';
import { appFeeKobo } from './fees.ts';

/** The state of an attempt: refunds do not change it. */
export function transactionStatus(payment: Payment): 'successful' | 'reversed' | 'failed' {
  if (!isPaid(payment)) return 'failed';
  return payment.takenKobo > 0 ? 'reversed' : 'successful';
}

const paymentType: Record<Channel, string> = {
  ...{ card: 'card', bank_transfer: 'bank_transfer', ussd: 'ussd', qr: 'nqr' },
  ...{ mobile_money: 'mobilemoneyng', other: 'account' },
};

/** A transaction as verify shows it. */
export function transactionShape(account: Account, payment: Payment) {
  const meta = {
    ...metaOf(payment),
    ...(payment.channel === 'bank_transfer' && isPaid(payment) && originator(payment)),
  };
  return {
    ...transactionCore(account, payment),
    ...(payment.channel === 'card' && {
      card: { ...card, token: `flw-t1nf-${digestOf(payment).slice(0, 32)}-k3n` },
    }),
    meta: Object.keys(meta).length > 0 ? meta : null,
    amount_settled: payment.paidKobo === null ? null : toNaira(payment.paidKobo - payment.feeKobo!),
    customer: customerShape(account, payment),
  };
}

/** A transaction as `charge.completed` shows it. */
export function toldTransaction(account: Account, payment: Payment) {
  return {
    ...transactionCore(account, payment),
    customer: { ...customerShape(account, payment), phone_number: payment.customerPhone },
    ...(payment.channel === 'card' && { card: { ...card, country: 'NG' } }),
  };
}

/** A transaction as a row of the list: its number as text, the customer flat. */
export function transactionRow(account: Account, payment: Payment) {
  const { device_fingerprint: _print, ip: _ip, ...core } = transactionCore(account, payment);
  return {
    ...core,
    id: String(payment.id),
    amount_settled: payment.paidKobo === null ? null : toNaira(payment.paidKobo - payment.feeKobo!),
    customer_name: customerShape(account, payment).name,
    customer_email: payment.email,
    account:
      payment.channel === 'bank_transfer'
        ? { nuban: '0690000031', bank: 'ACCESS BANK NIGERIA' }
        : null,
  };
}

/** The provider's own reference of an attempt. */
export function flwRef(account: Account, payment: Pick<Payment, 'id'>): string {
  return `${account.mode === 'test' ? 'FLW-MOCK-' : 'FLW'}${digestOf(payment).slice(0, 32)}`;
}

/** What the merchant sent along, as an object. */
export function metaOf({ metadata }: Payment): Record<string, unknown> {
  const meta = metadata === null ? null : JSON.parse(metadata);
  return typeof meta === 'object' && meta !== null ? meta : {};
}

/** `app_fee` is the provider's own part of the fee: tax and stamp duty show only in settlements. */
function transactionCore(account: Account, payment: Payment) {
  const chargedKobo = payment.paidKobo ?? payment.requestedKobo;
  const appKobo = payment.payerFeeKobo || appFeeKobo(chargedKobo);
  const paid = isPaid(payment);
  return {
    id: payment.id,
    tx_ref: payment.reference,
    flw_ref: flwRef(account, payment),
    device_fingerprint: 'N/A',
    amount: toNaira(chargedKobo - payment.payerFeeKobo),
    currency: 'NGN',
    charged_amount: toNaira(chargedKobo),
    app_fee: toNaira(appKobo),
    merchant_fee: 0,
    processor_response: paid ? 'Approved by Financial Institution' : 'Declined by the bank',
    auth_model: payment.channel === 'card' ? 'PIN' : 'AUTH',
    ip: '127.0.0.1',
    narration:
      payment.channel === 'card' ? 'CARD Transaction ' : (payment.description ?? 'Sandbox payment'),
    status: transactionStatus(payment),
    payment_type: paymentType[payment.channel ?? 'other'],
    created_at: payment.createdAt.toISOString(),
    account_id: account.id,
  };
}

/** A customer is an e-mail address at an account: the same one always has the same id. */
function customerShape(account: Account, payment: Payment) {
  const digest = hash('sha256', `${account.id}:${payment.email}`);
  return {
    id: 200_000_000 + Number.parseInt(digest.slice(0, 7), 16),
    name: payment.customerName ?? 'Anonymous Customer',
    phone_number: payment.customerPhone ?? 'N/A',
    email: payment.email,
    created_at: payment.createdAt.toISOString(),
  };
}

const card = {
  ...{ first_6digits: '553188', last_4digits: '2950', issuer: 'MASTERCARD  CREDIT' },
  ...{ country: 'NIGERIA NG', type: 'MASTERCARD', expiry: '09/32' },
};

function originator({ paidKobo }: Payment) {
  return {
    originatoraccountnumber: '******0031',
    originatorname: 'SANDBOX CUSTOMER',
    bankname: 'ACCESS BANK NIGERIA',
    originatoramount: String(toNaira(paidKobo!)),
  };
}

const digestOf = ({ id }: Pick<Payment, 'id'>): string => hash('sha256', `flutterwave:${id}`);
