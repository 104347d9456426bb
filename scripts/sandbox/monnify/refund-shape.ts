import { toNaira } from '../naira.ts';
import type { Payment, Refund } from '../records.ts';
import { slashDate } from './dates.ts';

/**
 * What Monnify calls the state of a refund. It has no word for one that needs attention: that one
 * is pending for good. Of one on its way it says so in its comment alone.
 */
export const refundStatus: Record<Refund['status'], string> = {
  pending: 'PENDING',
  processing: 'COMPLETED',
  'needs-attention': 'PENDING',
  completed: 'COMPLETED',
  failed: 'FAILED',
};

export const dashboardPrefix = 'MNFYRFD';

const comment: Record<Refund['status'], string> = {
  pending: 'Refund is being processed',
  processing: 'Transaction refund is in progress.',
  'needs-attention': 'Refund is being processed',
  completed: 'Refund processed successfully',
  failed: 'Refund could not be completed',
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
    comment: comment[refund.status],
    createdOn: slashDate(refund.createdAt),
    ...(hasEnded(refund) && { completedOn: slashDate(refund.updatedAt) }),
  };
}

function hasEnded({ status }: Refund): boolean {
  return status === 'completed' || status === 'failed';
}
