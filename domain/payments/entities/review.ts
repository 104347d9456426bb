import { ofTenant, p, table } from '../../shared/columns.ts';
import type { ReviewReason } from './review-reasons.ts';

export const reviewStatuses = ['open', 'accepted', 'returned', 'resolved'] as const;

export const Review = table('reviews', {
  id: p.ascii().primary(),
  ...ofTenant,
  charge_id: p.ascii(),
  capture_id: p.ascii().strictNullable(),
  reason: p.text().$type<ReviewReason>(),
  detail: p.text(),
  amount_kobo: p.kobo().strictNullable(),
  status: p.enum(reviewStatuses),
  /** Of two Owners who return it. */
  first_approved_by: p.text().strictNullable(),
  first_approved_at: p.timestamp().strictNullable(),
  /** Null also where no decision was needed. */
  decided_by: p.text().strictNullable(),
  decided_at: p.timestamp().strictNullable(),
  created_at: p.timestamp(),
});
