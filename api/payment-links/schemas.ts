import { linkStatuses } from '../../domain/payments/payment-link/transitions.ts';
import { amount, providerWanted } from '../charges/schemas.ts';
import { pageQuery } from '../http/cursor.ts';
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

const DEFAULT_DAYS = 7;
const MOST_DAYS = 90;

/** The body of `POST /payment-links`. */
export const linkBody = input(['amount_kobo', 'description'], {
  amount_kobo: amount,
  description: text(500),
  customer: input([], { name: text(100), phone: text(40, 'phone') }),
  expires_in_days: { type: 'integer', minimum: 1, maximum: MOST_DAYS, default: DEFAULT_DAYS },
  provider: providerWanted,
});

export interface LinkBody {
  amount_kobo: number;
  description: string;
  customer?: { name?: string; phone?: string };
  expires_in_days?: number;
  provider?: string;
}

export const daysOf = ({ expires_in_days: days = DEFAULT_DAYS }: LinkBody): number => days;

export const linkListQuery = input([], { ...pageQuery, status: { enum: linkStatuses } });

/** A page where a payer pays one amount, once. */
export const paymentLink = object('PaymentLink', {
  object: { const: 'payment_link' },
  id: id('lnk'),
  url: string,
  amount_kobo: kobo,
  currency: string,
  description: string,
  customer: nullable(
    object('PaymentLinkCustomer', { name: nullable(string), phone: nullable(string) }),
  ),
  provider: providerWanted,
  status: { enum: linkStatuses },
  expires_at: time,
  transaction_id: nullable(id('txn')),
  created_at: time,
  mode,
});

export const paymentLinkList = listOf(paymentLink);
