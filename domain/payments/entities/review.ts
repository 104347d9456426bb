import { defineEntity, p } from '@mikro-orm/core';
import { ascii, kobo, timestamp } from '../../shared/columns.ts';
import type { Mode } from '../../shared/reader.ts';
import type { ReviewReason } from './review-reasons.ts';

export const reviewStatuses = ['open', 'accepted', 'returned', 'resolved'] as const;

export const Review = defineEntity({
  name: 'Review',
  tableName: 'reviews',
  properties: {
    id: ascii().primary(),
    tenant_id: ascii(),
    mode: p.text().$type<Mode>(),
    charge_id: ascii(),
    capture_id: ascii().strictNullable(),
    reason: p.text().$type<ReviewReason>(),
    detail: p.text(),
    amount_kobo: kobo().strictNullable(),
    status: p.enum(reviewStatuses).default('open'),
    /** The member or operator who decided; null while open, and where no decision was needed. */
    decided_by: p.text().strictNullable(),
    decided_at: timestamp().strictNullable(),
    created_at: timestamp(),
  },
  indexes: [
    {
      name: 'reviews_open',
      expression: `create index reviews_open on reviews (tenant_id, mode, (status = 'open'), id)`,
    },
    { name: 'reviews_reason', properties: ['tenant_id', 'mode', 'reason', 'id'] },
    { name: 'reviews_tenant', properties: ['tenant_id', 'mode', 'id'] },
    { name: 'reviews_charge', properties: ['charge_id'] },
  ],
  uniques: [
    {
      name: 'reviews_once',
      expression: `create unique index reviews_once on reviews
        (charge_id, reason, coalesce(capture_id, '')) where status = 'open'`,
    },
  ],
});
