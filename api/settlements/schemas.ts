import { settlementStatuses } from '../../domain/settlements/settlement/transitions.ts';
import { slots } from '../../domain/shared/slot.ts';
import { type PageQuery, pageQuery } from '../http/cursor.ts';
import { type DaysQuery, daysQuery } from '../http/days.ts';
import { id, input, kobo, listOf, mode, nullable, object, string, time } from '../http/schema.ts';

export const settlementsQuery = input([], {
  ...pageQuery,
  ...daysQuery,
  status: { enum: settlementStatuses },
  provider: { enum: slots },
});

export interface SettlementsQuery extends PageQuery, DaysQuery {
  status?: string;
  provider?: string;
}

/** The query of a settlement's transactions. */
export const linesQuery = input([], pageQuery);

const bank = object('Bank', { name: nullable(string), account_last4: nullable(string) });

/** Collected money on its way from a provider to the merchant's bank account. */
export const settlement = object('Settlement', {
  object: { const: 'settlement' },
  id: id('stl'),
  provider: { enum: slots },
  status: { enum: settlementStatuses },
  expected_date: nullable({ type: 'string', format: 'date' }),
  expected_amount_kobo: { type: 'integer' },
  landed_amount_kobo: nullable({ type: 'integer' }),
  shortfall_kobo: nullable(kobo),
  gross_kobo: kobo,
  fee_kobo: kobo,
  refunds_kobo: kobo,
  chargebacks_kobo: kobo,
  transaction_count: { type: 'integer', minimum: 0 },
  foreign_kobo: { type: 'integer' },
  foreign_count: { type: 'integer', minimum: 0 },
  bank: nullable(bank),
  landed_at: nullable(time),
  created_at: time,
  mode,
});

export const settlements = listOf(settlement);
