import { toNaira } from '../naira.ts';
import type { Payment, Refund } from '../records.ts';
import { slashDate } from './dates.ts';

/**
 * What Monnify calls the state of a refund. It has no word for one that needs attention: that one
 * is pending for good.
 */
export const refundStatus: Record<Refund['status'], string> = {
  pending: 'PENDING',
  processing: 'PENDING',
  'needs-attention': 'PENDING',
  completed: 'COMPLETED',
  failed: 'FAILED',
};

export const dashboardPrefix = 'MNFYRFD';

const comment: Record<string, string> = {
  PENDING: 'Refund is being processed',
  COMPLETED: 'Refund processed successfully',
  FAILED: 'Refund could not be completed',
};

/** The merchant's reference, or Monnify's own for one made in its dashboard. */
export function refundReference({ id, reference }: Refund): string {
  return reference ?? `${dashboardPrefix}${id}`;
}

/** A refund as every endpoint shows it; once it has ended, with when. */
export function refundShape(payment: Payment, refund: Refund) {
  const status = refundStatus[refund.status]!;
  return {
    refundReference: refundReference(refund),
    transactionReference: payment.accessCode,
    refundReason: refund.merchantNote,
    customerNote: refund.customerNote,
    refundAmount: toNaira(refund.amountKobo),
    refundType: refund.amountKobo === payment.paidKobo ? 'FULL_REFUND' : 'PARTIAL_REFUND',
    refundStatus: status,
    refundStrategy: 'MERCHANT_WALLET',
    comment: comment[status],
    createdOn: slashDate(refund.createdAt),
    ...(status === 'PENDING' ? {} : { completedOn: slashDate(refund.updatedAt) }),
  };
}
