import {
  type DiscrepancyKind,
  type DiscrepancyStatus,
  discrepancyKinds,
  discrepancyStatuses,
} from '../../domain/settlements/discrepancy/transitions.ts';
import { slots } from '../../domain/shared/slot.ts';
import { type PageQuery, pageQuery } from '../http/cursor.ts';
import { type DaysQuery, daysQuery } from '../http/days.ts';
import {
  id,
  input,
  kobo,
  listOf,
  mode,
  nullable,
  object,
  string,
  text,
  time,
} from '../http/schema.ts';

export const discrepanciesQuery = input([], {
  ...pageQuery,
  ...daysQuery,
  status: { enum: discrepancyStatuses },
  kind: { enum: discrepancyKinds },
  settlement: id('stl'),
  provider: { enum: slots },
});

export interface DiscrepanciesQuery extends PageQuery, DaysQuery {
  status?: DiscrepancyStatus;
  kind?: DiscrepancyKind;
  settlement?: string;
  provider?: string;
}

/** The body of `POST /discrepancies/{id}/close`. */
export const closeBody = input(['reason'], { reason: text(500) });

export interface CloseBody {
  reason: string;
}

const line = object('SettlementLine', {
  provider_reference: string,
  reference: string,
  amount_kobo: { type: 'integer' },
  fee_kobo: nullable({ type: 'integer' }),
});

/** Something that differs between our books and a payout, or a provider's list of payments. */
export const discrepancy = object('Discrepancy', {
  object: { const: 'discrepancy' },
  id: id('dsc'),
  kind: { enum: discrepancyKinds },
  provider: { enum: slots },
  status: { enum: discrepancyStatuses },
  settlement_id: nullable(id('stl')),
  transaction_id: nullable(id('txn')),
  reference: nullable(string),
  amount_kobo: kobo,
  difference_kobo: { type: 'integer' },
  detail: string,
  line: nullable(line),
  date: { type: 'string', format: 'date' },
  closed_by: nullable(string),
  close_reason: nullable(string),
  opened_at: time,
  ended_at: nullable(time),
  mode,
});

export const discrepancies = listOf(discrepancy);
