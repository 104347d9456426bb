import Type from 'typebox';
import { MAX_AMOUNT_KOBO, MIN_AMOUNT_KOBO } from '../../domain/shared/money.ts';
import { slots } from '../../domain/shared/slot.ts';
import { choice, kobo, nullable, string, text } from '../http/schema.ts';

/** How much one payment may be. */
export const amount = (example = 250_000) =>
  kobo('Integer kobo: ₦2,500.00 is 250000.', example, {
    minimum: MIN_AMOUNT_KOBO,
    maximum: MAX_AMOUNT_KOBO,
  });

/** The provider a merchant asks for. */
export const providerWanted = (description: string) =>
  choice('ProviderWanted', ['auto', ...slots], { description });

/** What a request gives a new charge. */
export const givenFields = {
  amount_kobo: amount(),
  email: text(254, {
    format: 'email',
    description: 'The customer’s e-mail address.',
    examples: ['ada@example.com'],
  }),
  name: Type.Optional(text(100, { description: 'The customer’s name.' })),
  phone: Type.Optional(
    text(40, {
      format: 'phone',
      description:
        'The customer’s phone number; Nigerian numbers are stored in international form.',
    }),
  ),
  reference: Type.Optional(
    text(100, {
      format: 'printable',
      description: 'Your own reference for the charge; becomes `merchant_reference`.',
      examples: ['order-1042'],
    }),
  ),
  description: Type.Optional(
    text(500, {
      description: 'What the payment is for. The payer sees it.',
      examples: ['Two bags of rice'],
    }),
  ),
  return_url: Type.Optional(
    text(2048, {
      format: 'web-address',
      description: 'Where the payer is sent afterwards, with `reference` and `status` added.',
      examples: ['https://shop.example/thanks'],
    }),
  ),
  provider: Type.Optional(
    providerWanted(
      'A connected provider, or `auto`: the first that works. ' +
        'Where you name one, no other is used instead.',
    ),
  ),
  metadata: Type.Optional(
    Type.Unsafe<Record<string, string | number | boolean | null>>({
      description:
        'Up to 50 pairs of your own: keys of up to 40 characters; ' +
        'texts of up to 500 characters, numbers, booleans or null.',
      examples: [{ order_id: 1042 }],
      type: 'object',
      maxProperties: 50,
      propertyNames: { type: 'string', minLength: 1, maxLength: 40, format: 'metadata-key' },
      additionalProperties: {
        type: ['string', 'number', 'boolean', 'null'],
        maxLength: 500,
        format: 'text',
      },
    }),
  ),
};

/** What a charge and its transaction both show of that. */
export const shownFields = {
  merchant_reference: nullable(
    string('The merchant’s own reference; null where none was sent.', {
      examples: ['order-1042'],
    }),
  ),
};
