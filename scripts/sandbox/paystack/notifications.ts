import { createHmac } from 'node:crypto';
import type { Provider, Signer } from '../context.ts';
import { disputeShape } from './disputes.ts';
import { bankReference, refundStatus } from './refunds.ts';
import { transactionShape } from './transaction-shape.ts';

export const notifications: Provider['notifications'] = {
  /** `charge.success`. A payment that failed causes no notification: verify shows it. */
  payment: (account, payment) =>
    payment.paidKobo === null
      ? undefined
      : { event: 'charge.success', data: transactionShape(account, payment) },

  /** `refund.*`: as on the wire, mostly without an id, the amount text unless it went wrong. */
  refund(account, payment, refund) {
    const status = refundStatus[refund.status];
    const needsAttention = refund.status === 'needs-attention';
    const wentWrong = refund.status === 'failed' || needsAttention;
    const data = {
      status,
      transaction_reference: payment.reference,
      refund_reference: bankReference(refund),
      amount: wentWrong ? refund.amountKobo : String(refund.amountKobo),
      ...{ currency: 'NGN', processor: 'sandbox' },
      customer: { first_name: null, last_name: null, email: payment.email },
      ...{ integration: account.id, domain: account.mode },
    };
    const notes = { customer_note: refund.customerNote, merchant_note: refund.merchantNote };
    const plea = needsAttention && { id: String(refund.id), ...notes };
    return { event: `refund.${status}`, data: { ...data, ...plea } };
  },

  /** `charge.dispute.create`, and `charge.dispute.resolve` once it is decided. */
  dispute(account, payment, dispute) {
    const event = dispute.resolution ? 'charge.dispute.resolve' : 'charge.dispute.create';
    const dates = { created_at: dispute.createdAt, updated_at: dispute.updatedAt };
    return { event, data: { ...disputeShape(account, payment, dispute), ...dates } };
  },
};

/** Paystack signs with the secret key itself. */
export function sign({ secretKey }: Signer, body: string): Record<string, string> {
  return { 'x-paystack-signature': createHmac('sha512', secretKey).update(body).digest('hex') };
}
