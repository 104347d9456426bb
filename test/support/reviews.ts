import type { ReviewReason } from '../../domain/payments/entities/review-reasons.ts';
import { openReview } from '../../domain/payments/review/store.ts';
import { newId } from '../../domain/shared/ids.ts';
import { txOf } from '../../domain/shared/tx.ts';
import { newCharge, stored } from './charges.ts';
import { insertRow } from './insert-row.ts';
import type { Stack } from './stack.ts';

/** Puts a payment of a new charge in review, as a second payment would; returns its id. */
export async function addReview(
  stack: Stack,
  reason: ReviewReason = 'extra_capture',
  charge?: { reference: string },
): Promise<string> {
  const { id, tenant_id, mode, attempts } = await stored(stack, charge ?? (await newCharge(stack)));
  const { db, vault, clock } = stack.context;
  const now = clock();
  const captureId = newId('cap', now);
  await insertRow(stack, 'captures', {
    ...{ id: captureId, charge_id: id, attempt_id: attempts[0]!.id, channel: 'card' },
    ...{ connection_id: attempts[0]!.connection_id, provider_payment_id: captureId },
    ...{ status: 'duplicate', amount_kobo: 100_000, currency: 'NGN' },
    ...{ captured_at: now, recorded_at: now },
  });
  const question = { reason, detail: 'The payer paid again.', captureId, amountKobo: 100_000 };
  await db.transaction((session) =>
    openReview(txOf(session, vault, now), { id, tenant_id, mode }, question),
  );
  const [row] = await stack.sql<{ id: string }>`select id from reviews
    where capture_id = ${captureId}`;
  await stack.sql`update charges set review = array_append(review, ${reason}) where id = ${id}`;
  return row!.id;
}
