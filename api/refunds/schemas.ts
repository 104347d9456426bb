import { type RefundStatus, refundStatuses } from '../../domain/payments/refund/transitions.ts';
import { MAX_AMOUNT_KOBO } from '../../domain/shared/money.ts';
import { type PageQuery, pageQuery } from '../http/cursor.ts';
import {
  id,
  input,
  kobo,
  listOf,
  mode,
  nullable,
  object,
  reference,
  string,
  text,
  time,
} from '../http/schema.ts';

/** The body of `POST /refunds`. */
export const refundBody = input(['reference', 'reason'], {
  reference: text(100, 'service-reference'),
  amount_kobo: { type: 'integer', minimum: 1, maximum: MAX_AMOUNT_KOBO },
  reason: text(500),
});

export interface RefundBody {
  reference: string;
  amount_kobo?: number;
  reason: string;
}

/** The body of `POST /refunds/{id}/reject`. */
export const rejectionBody = input(['reason'], { reason: text(500) });

export interface RejectionBody {
  reason: string;
}

export const refundsQuery = input([], {
  ...pageQuery,
  status: { enum: refundStatuses },
  reference: text(100, 'service-reference'),
});

export interface RefundsQuery extends PageQuery {
  status?: RefundStatus;
  reference?: string;
}

export const refund = object('Refund', {
  object: { const: 'refund' },
  id: id('ref'),
  reference,
  transaction_id: id('txn'),
  amount_kobo: kobo,
  currency: string,
  reason: string,
  status: { enum: refundStatuses },
  origin: { enum: ['merchant', 'provider', 'system'] },
  rejection_reason: nullable(string),
  failure_message: nullable(string),
  attention: nullable(object('Attention', { reason: string })),
  created_at: time,
  decided_at: nullable(time),
  completed_at: nullable(time),
  mode,
});

export const refunds = listOf(refund);
