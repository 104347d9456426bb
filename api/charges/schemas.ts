import Type, { type Static } from 'typebox';
import {
  body,
  choice,
  currency,
  id,
  kind,
  kobo,
  listOf,
  mode,
  nullable,
  object,
  provider,
  query,
  reference,
  string,
  text,
  time,
} from '../http/schema.ts';
import { transaction } from '../transactions/schemas.ts';
import { givenFields, shownFields } from './fields.ts';

export const createChargeBody = body('CreateChargeBody', givenFields);

export type CreateChargeBody = Static<typeof createChargeBody>;

export const findChargeQuery = query({
  merchant_reference: text(100, {
    format: 'printable',
    description: 'The reference the charge was created with.',
    examples: ['order-1042'],
  }),
});

export const checkout = object('Checkout', 'A charge as the merchant shows it to the payer.', {
  object: kind('checkout'),
  id: id('ct'),
  reference: reference(),
  ...shownFields,
  status: choice('CheckoutStatus', ['open', 'completed', 'failed', 'expired'], {
    description: '`open` until the charge is paid, fails or expires.',
  }),
  amount_kobo: kobo('Integer kobo: ₦2,500.00 is 250000.', 250_000),
  currency: currency(),
  checkout_url: string('The hosted payment page: send the payer there.', {
    examples: ['https://pay.example.com/pay/ct_01k2v8n0d4e7g9h3j5m6p8q1rs'],
  }),
  checkout_token: id('ct', 'Same as `id`.'),
  provider: provider('The provider chosen, by its slot.'),
  expires_at: time('When the charge expires unless it is paid before.'),
  mode: mode(),
  transaction: nullable(transaction, { description: 'The payment; null until money arrives.' }),
});

const timelineEntry = object('TimelineEntry', 'One change of a charge.', {
  object: kind('timeline_entry'),
  id: id('tle'),
  at: time('When it happened.'),
  what: string('What happened, as one word for programs.', { examples: ['charge.pending'] }),
  detail: nullable(
    string('What happened, as a sentence for people.', {
      examples: ['The provider made the payment page.'],
    }),
  ),
  amount_kobo: nullable(kobo('The money it is about, in kobo; null where it is none.', 250_000)),
  evidence_sha256: nullable(
    Type.String({
      description: 'SHA-256 of the raw payload that shows it; null where there is none.',
      pattern: '^[0-9a-f]{64}$',
    }),
  ),
});

export const timeline = listOf('TimelineEntryList', timelineEntry, 'Changes, oldest first.');
