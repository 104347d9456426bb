import { slots } from '../../domain/charge/row.ts';
import { MAX_AMOUNT_KOBO, MIN_AMOUNT_KOBO } from '../../domain/money.ts';

const text = (maxLength: number, format = 'text') => ({ type: 'string', minLength: 1, maxLength, format });

/** The body of `POST /charges`. */
export const chargeBody = {
  type: 'object',
  additionalProperties: false,
  required: ['amount_kobo', 'email'],
  properties: {
    amount_kobo: { type: 'integer', minimum: MIN_AMOUNT_KOBO, maximum: MAX_AMOUNT_KOBO },
    email: text(254, 'email'),
    name: text(100),
    phone: text(40, 'phone'),
    reference: text(100, 'printable'),
    description: text(500),
    return_url: text(2048, 'web-address'),
    provider: { enum: ['auto', ...slots] },
    metadata: {
      type: 'object',
      maxProperties: 50,
      propertyNames: { type: 'string', minLength: 1, maxLength: 40, format: 'metadata-key' },
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: 500, format: 'text' },
    },
  },
};

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

export const merchantReferenceQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['merchant_reference'],
  properties: { merchant_reference: text(100, 'printable') },
};
