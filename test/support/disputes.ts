import { recordDispute } from '../../domain/payments/facts/record-dispute.ts';
import { DAY } from './clock.ts';
import { addReview } from './reviews.ts';
import type { Stack } from './stack.ts';

/** A dispute that the provider of a payment, or of one in review, reports; returns its id. */
export async function addDispute(stack: Stack, captureId?: string | null): Promise<string> {
  const id = captureId ?? (await paymentInReview(stack));
  const [payment] = await stack.sql<{ provider_payment_id: string; connection_id: string }>`
    select provider_payment_id, connection_id from captures where id = ${id}`;
  const { provider_payment_id: providerPaymentId, connection_id: connectionId } = payment!;
  const dispute = {
    ...{ providerDisputeId: `dispute-of-${id}`, providerPaymentId, state: 'open' as const },
    ...{ status: 'pending', amountKobo: 100_000, reason: 'Debit without value', raw: '{}' },
    respondBy: new Date(stack.context.clock().getTime() + DAY),
  };
  await stack.context.inTx((tx) => recordDispute(tx, connectionId, dispute));
  const [row] = await stack.sql<{ id: string }>`select id from disputes where capture_id = ${id}`;
  return row!.id;
}

async function paymentInReview(stack: Stack): Promise<string> {
  const [review] = await stack.sql<{ capture_id: string }>`select capture_id from reviews
    where id = ${await addReview(stack)}`;
  return review!.capture_id;
}
