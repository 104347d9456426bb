import { hasEnded } from '../payments.ts';
import type { Channel, Payment } from '../records.ts';
import { asStated, currencyStated } from '../settlements.ts';
import { toNaira, toNairaText } from '../wire.ts';
import { offsetDate, slashDate } from './dates.ts';

/** What Monnify calls a channel; it has no QR code and no mobile money. */
export const paymentMethod: Record<Channel, string> = {
  ...{ card: 'CARD', bank_transfer: 'ACCOUNT_TRANSFER', ussd: 'USSD', qr: 'PHONE_NUMBER' },
  ...{ mobile_money: 'PHONE_NUMBER', other: 'PHONE_NUMBER' },
};

/** A transaction as the queries show it: every amount is text. */
export function transactionShape(sale: Payment, now: Date) {
  return {
    ...commonShape(sale),
    amountPaid: toNairaText(sale.paidKobo ?? 0),
    totalPayable: toNairaText(payableKobo(sale)),
    settlementAmount: toNairaText(settlementKobo(sale)),
    paidOn: sale.paidAt && slashDate(sale.paidAt),
    paymentStatus: paymentStatus(sale, now),
    cardDetails: sale.paidKobo !== null && sale.channel === 'card' ? testCard : null,
    accountDetails: byTransfer(sale) ? accountDetails(sale) : null,
    accountPayments: byTransfer(sale) ? [accountDetails(sale)] : [],
  };
}

/** A transaction as a line of its settlement: the same, with the line's own amounts. */
export function lineShape(sale: Payment, now: Date) {
  const stated = asStated(sale);
  const amounts = {
    amountPaid: toNairaText(stated.paidKobo ?? 0),
    settlementAmount: toNairaText(settlementKobo(stated)),
  };
  return { ...transactionShape(sale, now), ...amounts, currency: currencyStated(sale) };
}

/** A transaction as the search shows it: amounts are numbers. */
export function rowShape(sale: Payment, now: Date) {
  return {
    customerDTO: customerShape(sale),
    paymentMethod: sale.channel && paymentMethod[sale.channel],
    createdOn: offsetDate(sale.createdAt),
    amount: toNaira(sale.requestedKobo),
    amountPaid: toNaira(sale.paidKobo ?? 0),
    payableAmount: toNaira(payableKobo(sale)),
    settlementAmount: toNaira(settlementKobo(sale)),
    fee: toNaira(sale.feeKobo ?? 0),
    currencyCode: 'NGN',
    paymentDescription: sale.description,
    paymentStatus: paymentStatus(sale, now),
    transactionReference: sale.accessCode,
    paymentReference: sale.reference,
    completed: sale.paidKobo !== null,
    completedOn: sale.paidAt && offsetDate(sale.paidAt),
  };
}

/** What Monnify calls the state of a payment. */
export function paymentStatus(sale: Payment, now: Date): string {
  if (sale.paidKobo === null)
    return sale.status === 'failed' ? 'FAILED' : hasEnded(sale, now) ? 'EXPIRED' : 'PENDING';
  return sale.refundedKobo >= sale.paidKobo
    ? 'REVERSED'
    : paidStatus(sale.paidKobo, sale.requestedKobo + sale.payerFeeKobo);
}

/** What it calls the state of one whose money came and stayed. */
export function paidStatus(paidKobo: number, payableKobo: number): string {
  if (paidKobo === payableKobo) return 'PAID';
  return paidKobo > payableKobo ? 'OVERPAID' : 'PARTIALLY_PAID';
}

/** What answers and notifications say alike. */
export function commonShape(payment: Payment) {
  return {
    transactionReference: payment.accessCode,
    paymentReference: payment.reference,
    paymentDescription: payment.description,
    currency: 'NGN',
    paymentMethod: payment.channel && paymentMethod[payment.channel],
    product: { type: 'WEB_SDK', reference: payment.reference },
    customer: customerShape(payment),
    metaData: payment.metadata === null ? {} : JSON.parse(payment.metadata),
  };
}

export function customerShape({ email, customerName }: Payment) {
  return { email, name: customerName ?? email };
}

/** What of a payment reaches the merchant: paid less the fee, which Monnify states nowhere. */
export function settlementKobo({ paidKobo, feeKobo }: Payment): number {
  return (paidKobo ?? 0) - (feeKobo ?? 0);
}

/** What the customer is to pay: with the fee, where they bear it. */
export function payableKobo({ requestedKobo, payerFeeKobo }: Payment): number {
  return requestedKobo + payerFeeKobo;
}

export function byTransfer({ paidKobo, channel }: Payment): boolean {
  return paidKobo !== null && channel === 'bank_transfer';
}

const accountName = 'SANDBOX CUSTOMER';
export const payer = { accountName, accountNumber: '0000000000', bankCode: '057' };

function accountDetails({ paidKobo }: Payment) {
  return { ...payer, amountPaid: toNairaText(paidKobo ?? 0) };
}

const testCard = {
  ...{ cardType: 'VISA', last4: '1111', expMonth: '10', expYear: '30', bin: '411111' },
  ...{ bankCode: null, bankName: null, reusable: false, countryCode: null, cardToken: null },
  ...{ supportsTokenization: false, maskedPan: '411111******1111' },
};
