import { chargeStatuses } from '../../domain/payments/charge/transitions.ts';
import { channels } from '../../domain/providers/provider.ts';
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
  reference,
  string,
  text,
  time,
} from '../http/schema.ts';

export const transactionsQuery = input([], {
  ...pageQuery,
  ...daysQuery,
  status: { enum: chargeStatuses },
  provider: { enum: slots },
  channel: { enum: channels },
  customer: text(254, 'email'),
});

export interface TransactionsQuery extends PageQuery, DaysQuery {
  status?: string;
  provider?: string;
  channel?: string;
  customer?: string;
}

const customer = object('Customer', {
  email: string,
  name: nullable(string),
  phone: nullable(string),
});

/** A charge as the ledger has it. */
export const transaction = object('Transaction', {
  object: { const: 'transaction' },
  id: id('txn'),
  reference,
  merchant_reference: nullable(string),
  type: { const: 'charge' },
  status: { enum: chargeStatuses },
  provider: { enum: slots },
  provider_reference: nullable(string),
  amount_kobo: kobo,
  fee_kobo: kobo,
  net_kobo: { type: 'integer' },
  refunded_kobo: kobo,
  currency: string,
  channel: nullable({ enum: channels }),
  customer,
  failure_message: nullable(string),
  occurred_at: time,
  settled_at: nullable(time),
  settlement_id: nullable(id('stl')),
  recovered: { type: 'boolean' },
  metadata: {
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  },
  mode,
});

export const transactions = listOf(transaction);
