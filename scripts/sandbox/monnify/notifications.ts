import { createHmac } from 'node:crypto';
import type { Provider, Signer } from '../context.ts';
import type { Payment } from '../records.ts';
import { toNaira, toNairaText } from '../wire.ts';
import { dashDate, paddedSlashDate, slashDate } from './dates.ts';
import { refundShape } from './refunds.ts';
import { settlementReference } from './settlements.ts';
import {
  byTransfer,
  commonShape,
  lineShape,
  paidStatus,
  payableKobo,
  payer,
  settlementKobo,
} from './transaction-shape.ts';

/** The rest of a larger payout is in find-by-settlement-reference. */
const mostTransactions = 100;

const merchantAccount = {
  destinationAccountNumber: '0123456789',
  destinationBankName: 'Sterling bank',
  destinationAccountName: 'SANDBOX MERCHANT',
};

export const notifications: Provider['notifications'] = {
  /** `SUCCESSFUL_TRANSACTION`, of too little and too much as well; nothing of a failure. */
  payment(_account, payment) {
    const { paidKobo, paidAt } = payment;
    if (paidKobo === null || paidAt === null) return undefined;
    const eventData = {
      ...commonShape(payment),
      paidOn: dashDate(paidAt),
      paymentSourceInformation: byTransfer(payment) ? [sourceOf(payment, paidKobo)] : {},
      destinationAccountInformation: byTransfer(payment) ? transferAccount(payment) : {},
      amountPaid: toNaira(paidKobo),
      totalPayable: toNaira(payableKobo(payment)),
      cardDetails: {},
      settlementAmount: toNairaText(settlementKobo(payment)),
      paymentStatus: paidStatus(paidKobo, payableKobo(payment)),
    };
    return { eventType: 'SUCCESSFUL_TRANSACTION', eventData };
  },

  /** `REJECTED_PAYMENT`: a transfer of the wrong amount was sent back; the payment is open. */
  rejection(_account, payment, amountKobo) {
    const { currency, paymentMethod, metaData, ...common } = commonShape(payment);
    const { bankCode, bankName, accountNumber } = transferAccount(payment);
    const asked = toNaira(payment.requestedKobo);
    const eventData = {
      ...common,
      metaData: JSON.stringify(metaData),
      amount: asked,
      paymentSourceInformation: sourceOf(payment, amountKobo),
      created_on: dashDate(payment.createdAt),
      paymentRejectionInformation: {
        ...{ bankCode, destinationAccountNumber: accountNumber, bankName },
        rejectionReason: amountKobo < payment.requestedKobo ? 'UNDER_PAYMENT' : 'OVER_PAYMENT',
        expectedAmount: asked,
      },
    };
    return { eventType: 'REJECTED_PAYMENT', eventData };
  },

  /** `SUCCESSFUL_REFUND` or `FAILED_REFUND`; nothing before a refund has ended. */
  refund(_account, payment, refund) {
    if (refund.status !== 'completed' && refund.status !== 'failed') return undefined;
    const shape = refundShape(payment, refund);
    const { refundType, refundStrategy, comment, refundReason: merchantReason, ...told } = shape;
    const eventType = refund.status === 'completed' ? 'SUCCESSFUL_REFUND' : 'FAILED_REFUND';
    const completedOn = slashDate(refund.updatedAt);
    return { eventType, eventData: { merchantReason, ...told, completedOn } };
  },

  /** `SETTLEMENT`: money was sent to the merchant's bank. Its lines state no fee. */
  settlement(settlement, payments) {
    const told = payments.slice(0, mostTransactions);
    const eventData = {
      amount: toNairaText(settlement.landedKobo),
      settlementTime: paddedSlashDate(settlement.landedAt ?? settlement.createdAt),
      settlementReference: settlementReference(settlement),
      ...merchantAccount,
      transactionsCount: payments.length,
      transactions: told.map((payment) => toldLine(payment, settlement.createdAt)),
    };
    return { eventType: 'SETTLEMENT', eventData };
  },
};

/** Monnify signs with the secret key itself. */
export function sign({ secretKey }: Signer, body: string): Record<string, string> {
  return { 'monnify-signature': createHmac('sha512', secretKey).update(body).digest('hex') };
}

/** A transaction as it was when its money came. */
function toldLine(payment: Payment, now: Date): object {
  const { settlementAmount: _, ...line } = lineShape({ ...payment, refundedKobo: 0 }, now);
  return line;
}

function transferAccount({ id }: Payment) {
  const accountNumber = String(id).slice(-10).padStart(10, '0');
  return { bankCode: '232', bankName: 'Sterling bank', accountNumber };
}

function sourceOf({ id }: Payment, kobo: number) {
  return { ...payer, amountPaid: toNaira(kobo), sessionId: String(id).padStart(30, '0') };
}
