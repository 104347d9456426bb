import Type, { type Static } from 'typebox';
import { MAX_AMOUNT_KOBO, MIN_AMOUNT_KOBO } from '../../domain/shared/money.ts';
import { slots } from '../../domain/shared/slot.ts';
import * as s from '../http/schema.ts';
import { sharedFields, transaction } from '../transactions/schemas.ts';

export const amount = (example = 250_000) =>
  s.kobo('Integer kobo: ₦2,500.00 is 250000.', example, {
    minimum: MIN_AMOUNT_KOBO,
    maximum: MAX_AMOUNT_KOBO,
  });

export const providerWanted = (description: string) =>
  s.choice('ProviderWanted', ['auto', ...slots], { description });

export const createChargeBody = s.body('CreateChargeBody', {
  amount_kobo: amount(),
  email: s.text(254, {
    format: 'email',
    description: 'The customer’s e-mail address.',
    examples: ['ada@example.com'],
  }),
  name: Type.Optional(s.text(100, { description: 'The customer’s name.' })),
  phone: Type.Optional(
    s.text(40, {
      format: 'phone',
      description:
        'The customer’s phone number; Nigerian numbers are stored in international form.',
    }),
  ),
  reference: Type.Optional(
    s.text(100, {
      format: 'printable',
      description: 'Your own reference for the charge; becomes `merchant_reference`.',
      examples: ['order-1042'],
    }),
  ),
  description: Type.Optional(
    s.text(500, {
      description: 'What the payment is for. The payer sees it.',
      examples: ['Two bags of rice'],
    }),
  ),
  return_url: Type.Optional(
    s.text(2048, {
      format: 'web-address',
      description:
        'Where the payer is sent afterwards, with `reference` and `status` added. With a public ' +
        'key, its origin must be one of the key’s `allowed_origins`.',
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
      ...s.anyKeys({
        type: ['string', 'number', 'boolean', 'null'],
        maxLength: 500,
        format: 'text',
      }),
    }),
  ),
});

export type CreateChargeBody = Static<typeof createChargeBody>;

export const findChargeQuery = s.query({
  merchant_reference: s.text(100, {
    format: 'printable',
    description: 'The reference the charge was created with.',
    examples: ['order-1042'],
  }),
});

export const checkout = s.object('Checkout', 'A charge as the merchant shows it to the payer.', {
  object: s.kind('checkout'),
  id: s.id('ct'),
  reference: s.reference(),
  ...sharedFields,
  status: s.choice('CheckoutStatus', ['open', 'completed', 'failed', 'expired'], {
    description: '`open` until the charge is paid, fails or expires.',
  }),
  amount_kobo: s.kobo('Integer kobo: ₦2,500.00 is 250000.', 250_000),
  currency: s.currency(),
  checkout_url: s.string('The hosted payment page: send the payer there.', {
    examples: ['https://pay.example.com/pay/ct_01k2v8n0d4e7g9h3j5m6p8q1rs'],
  }),
  checkout_token: s.id('ct', 'Same as `id`.'),
  provider: s.provider('The provider chosen, by its slot.'),
  expires_at: s.time('When the charge expires unless it is paid before.'),
  mode: s.mode(),
  transaction: s.nullable(transaction, { description: 'The payment; null until money arrives.' }),
});

const timelineEntry = s.object('TimelineEntry', 'One change of a charge.', {
  object: s.kind('timeline_entry'),
  id: s.id('tle'),
  at: s.time('When it happened.'),
  what: s.string('What happened, as one word for programs.', { examples: ['charge.pending'] }),
  detail: s.nullable(
    s.string('What happened, as a sentence for people.', {
      examples: ['The provider made the payment page.'],
    }),
  ),
  amount_kobo: s.nullable(
    s.kobo('The money it is about, in kobo; null where it is none.', 250_000),
  ),
  evidence_sha256: s.nullable(
    Type.String({
      description: 'SHA-256 of the raw payload that shows it; null where there is none.',
      pattern: '^[0-9a-f]{64}$',
    }),
  ),
});

export const timeline = s.listOf('TimelineEntryList', timelineEntry, 'Changes, oldest first.');
