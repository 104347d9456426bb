import { createHmac } from 'node:crypto';
import type { Signer } from '../context.ts';
import type { Account, Dispute, Payment, Refund } from '../records.ts';
import { disputeShape } from './disputes.ts';
import { bankReference, refundStatus } from './refunds.ts';
import { transactionShape } from './transaction-shape.ts';

/** `charge.success`. A payment that failed causes no notification: verify shows it. */
function paymentNotification(account: Account, payment: Payment): object | undefined {
  return payment.paidKobo === null
    ? undefined
    : { event: 'charge.success', data: transactionShape(account, payment) };
}

/** `refund.*`: as on the real wire, mostly without an id, the amount text unless it went wrong. */
function refundNotification(account: Account, payment: Payment, refund: Refund): object {
  const status = refundStatus[refund.status];
  const wentWrong = refund.status === 'failed' || refund.status === 'needs-attention';
  const data = {
    status,
    transaction_reference: payment.reference,
    refund_reference: bankReference(refund),
    amount: wentWrong ? refund.amountKobo : String(refund.amountKobo),
    currency: 'NGN',
    processor: 'sandbox',
    customer: { first_name: null, last_name: null, email: payment.email },
    integration: account.id,
    domain: account.mode,
  };
  const notes = { customer_note: refund.customerNote, merchant_note: refund.merchantNote };
  const plea = refund.status === 'needs-attention' && { id: String(refund.id), ...notes };
  return { event: `refund.${status}`, data: { ...data, ...plea } };
}

/** `charge.dispute.create`, and `charge.dispute.resolve` once it is decided. */
function disputeNotification(account: Account, payment: Payment, dispute: Dispute): object {
  const event = dispute.resolution ? 'charge.dispute.resolve' : 'charge.dispute.create';
  const dates = { created_at: dispute.createdAt, updated_at: dispute.updatedAt };
  return { event, data: { ...disputeShape(account, payment, dispute), ...dates } };
}

/** Paystack signs with the secret key itself. */
export function sign({ secretKey }: Signer, body: string): Record<string, string> {
  return { 'x-paystack-signature': createHmac('sha512', secretKey).update(body).digest('hex') };
}

export const notifications = {
  payment: paymentNotification,
  refund: refundNotification,
  dispute: disputeNotification,
};
