import Type from 'typebox';
import { chargeStatuses } from '../../domain/payments/entities/charge.ts';
import { channels } from '../../domain/providers/port/payment.ts';
import { MAX_AMOUNT_KOBO } from '../../domain/shared/money.ts';
import { listQuery } from '../http/cursor.ts';
import { daysFields } from '../http/days.ts';
import * as s from '../http/schema.ts';

const status = (description: string) =>
  s.choice('TransactionStatus', chargeStatuses, { description, examples: ['succeeded'] });
const channel = (doc: s.Doc) => s.choice('Channel', channels, { examples: ['card'], ...doc });

export const transactionsQuery = listQuery({
  ...daysFields,
  status: s.anyOf(
    'Only transactions in this status; repeated, in any of these.',
    status('A status.'),
  ),
  provider: Type.Optional(s.provider('Only those of this provider.')),
  channel: s.anyOf(
    'Only those paid this way; repeated, in any of these ways.',
    channel({ description: 'A way.' }),
  ),
  customer: Type.Optional(
    s.text(254, {
      format: 'email-or-phone',
      description:
        'Only those of the customer with this e-mail address, in any case, or phone number. A + is ' +
        'written as %2B.',
      examples: ['ada@example.com'],
    }),
  ),
  amount_kobo: Type.Optional(
    s.kobo('Only those of exactly this amount, in kobo.', 250_000, {
      minimum: 1,
      maximum: MAX_AMOUNT_KOBO,
    }),
  ),
  merchant_reference: Type.Optional(
    s.text(100, {
      format: 'printable',
      description: 'Only those with this reference of yours.',
      examples: ['order-1042'],
    }),
  ),
  provider_reference: Type.Optional(
    s.text(200, {
      format: 'printable',
      description: 'Only the one with this reference of the provider.',
      examples: ['4099260516'],
    }),
  ),
  settlement_id: Type.Optional(s.id('stl', 'Only those that this settlement paid out.')),
  payment_link: Type.Optional(s.id('lnk', 'Only those of this payment link.')),
});

const customer = s.object('Customer', 'Who pays.', {
  email: s.string('E-mail address, as it was sent.', { examples: ['ada@example.com'] }),
  name: s.nullable(s.string('Name.', { examples: ['Ada Obi'] })),
  phone: s.nullable(
    s.string('Phone number; Nigerian numbers are in international form.', {
      examples: ['+2348031234567'],
    }),
  ),
});

/** A charge and its transaction both show it. */
export const sharedFields = {
  merchant_reference: s.nullable(
    s.string('The merchant’s own reference; null where none was sent.', {
      examples: ['order-1042'],
    }),
  ),
};

export const transaction = s.resource(
  { title: 'Transaction', object: 'transaction', prefix: 'txn' },
  'A charge as the ledger shows it.',
  {
    reference: s.reference(),
    ...sharedFields,
    type: Type.Literal('charge', { description: 'What moved the money.' }),
    status: status(
      'Current status. `initiated → pending → succeeded → settled`, or `failed`; ' +
        'a paid one may become `refunded` or `disputed`.',
    ),
    provider: s.provider(),
    provider_reference: s.nullable(
      s.string('The provider’s own reference; null until it is known.', {
        examples: ['SV-100001-k3f9x0aa'],
      }),
    ),
    amount_kobo: s.kobo('What was asked, in kobo: ₦2,500.00 is 250000.', 250_000),
    fee_kobo: s.kobo('What the provider keeps, in kobo; 0 until the provider states it.', 3_750),
    net_kobo: s.signedKobo('Amount less fee, in kobo.', 246_250),
    refunded_kobo: s.kobo('Refunded so far, in kobo.', 0),
    currency: s.currency(),
    channel: s.nullable(channel({ description: 'How it was paid; null until it is known.' })),
    customer,
    failure_message: s.nullInExample(
      s.string('Why it failed, as a sentence for people; null where it did not fail.'),
    ),
    occurred_at: s.time('When it was paid; until then, when it was created.'),
    settled_at: s.nullInExample(s.time('When it was paid out to the merchant; null until then.')),
    settlement_id: s.nullInExample(
      s.id('stl', 'The settlement that paid it out; null until then.'),
    ),
    recovered: Type.Boolean({
      description:
        'True where the money came after the charge had failed: late, or because its payer tried ' +
        'again after a decline.',
      examples: [false],
    }),
    metadata: Type.Unsafe<Record<string, unknown>>({
      description: 'Your own pairs, as they were sent.',
      examples: [{ order_id: 1042 }],
      type: 'object',
      ...s.anyKeys({ type: ['string', 'number', 'boolean', 'null'] }),
    }),
  },
);

export const transactions = s.listOf('TransactionList', transaction, 'A page of transactions.');
