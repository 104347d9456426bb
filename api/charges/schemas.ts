import { MAX_AMOUNT_KOBO, MIN_AMOUNT_KOBO } from '../../domain/shared/money.ts';
import { slots } from '../../domain/shared/slot.ts';
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
import { transaction } from '../transactions/schemas.ts';

/** What one payment may be of. */
export const amount = { type: 'integer', minimum: MIN_AMOUNT_KOBO, maximum: MAX_AMOUNT_KOBO };

/** Which connection a payment is wanted at. */
export const providerWanted = { enum: ['auto', ...slots] };

/** The body of `POST /charges`. */
export const chargeBody = input(['amount_kobo', 'email'], {
  amount_kobo: amount,
  email: text(254, 'email'),
  name: text(100),
  phone: text(40, 'phone'),
  reference: text(100, 'printable'),
  description: text(500),
  return_url: text(2048, 'web-address'),
  provider: providerWanted,
  metadata: {
    type: 'object',
    maxProperties: 50,
    propertyNames: { type: 'string', minLength: 1, maxLength: 40, format: 'metadata-key' },
    additionalProperties: {
      type: ['string', 'number', 'boolean', 'null'],
      maxLength: 500,
      format: 'text',
    },
  },
});

export interface ChargeBody {
  amount_kobo: number;
  email: string;
  name?: string;
  phone?: string;
  reference?: string;
  description?: string;
  return_url?: string;
  provider?: string;
  metadata?: Record<string, string | number | boolean | null>;
}

export const merchantReferenceQuery = input(['merchant_reference'], {
  merchant_reference: text(100, 'printable'),
});

/** A charge as its payer's side sees it. */
export const checkout = object('Checkout', {
  object: { const: 'checkout' },
  id: id('ct'),
  reference,
  merchant_reference: nullable(string),
  status: { enum: ['open', 'completed', 'failed', 'expired'] },
  amount_kobo: kobo,
  currency: string,
  checkout_url: string,
  checkout_token: id('ct'),
  provider: { enum: slots },
  expires_at: time,
  mode,
  transaction: nullable(transaction),
});

const timelineEntry = object('TimelineEntry', {
  object: { const: 'timeline_entry' },
  id: id('tle'),
  at: time,
  what: string,
  detail: nullable(string),
  amount_kobo: nullable(kobo),
  evidence_sha256: nullable(string),
});

export const timeline = listOf(timelineEntry);
