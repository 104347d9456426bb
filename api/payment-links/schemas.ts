import Type from 'typebox';
import { linkStatuses } from '../../domain/payments/entities/payment-link.ts';
import { amount, providerWanted } from '../charges/schemas.ts';
import { listQuery } from '../http/cursor.ts';
import * as s from '../http/schema.ts';

/** For how many days a link can be paid. */
export const DEFAULT_DAYS = 7;
const MOST_DAYS = 90;

const linkCustomer = s.body('CreatePaymentLinkCustomer', {
  name: Type.Optional(s.text(100, { description: 'Name.' })),
  email: Type.Optional(
    s.text(254, {
      format: 'email',
      description:
        'E-mail address. In live mode the link is sent to it, and one reminder, where your business ' +
        'asks for that (`sends_payment_links`).',
    }),
  ),
  phone: Type.Optional(
    s.text(40, {
      format: 'phone',
      description: 'Phone number; Nigerian numbers are stored in international form.',
    }),
  ),
});

export const createPaymentLinkBody = s.body('CreatePaymentLinkBody', {
  amount_kobo: amount(),
  description: s.text(500, {
    description: 'What the payment is for. The payer sees it.',
    examples: ['Two bags of rice'],
  }),
  customer: Type.Optional({
    ...linkCustomer,
    description: 'Who is to pay, where it is known.',
    examples: [{ name: 'Ada Obi', phone: '+2348031234567' }],
  }),
  expires_in_days: Type.Optional(
    Type.Integer({
      description: 'For how many days it can be paid.',
      minimum: 1,
      maximum: MOST_DAYS,
      default: DEFAULT_DAYS,
      examples: [14],
    }),
  ),
  provider: Type.Optional(
    providerWanted('A connected provider, or `auto`: the first one available.'),
  ),
});

const status = (description: string) =>
  s.choice('PaymentLinkStatus', linkStatuses, { description });

export const paymentLinksQuery = listQuery({
  status: Type.Optional(status('Only links in this status.')),
});

const shownCustomer = s.object('PaymentLinkCustomer', 'Who is to pay.', {
  name: s.nullable(s.string('Name.', { examples: ['Ada Obi'] })),
  email: s.nullable(s.string('E-mail address.', { examples: ['ada@example.com'] })),
  phone: s.nullable(
    s.string('Phone number; Nigerian numbers are in international form.', {
      examples: ['+2348031234567'],
    }),
  ),
});

export const paymentLink = s.resource(
  { title: 'PaymentLink', object: 'payment_link', prefix: 'lnk' },
  'A page where a payer pays one amount, once.',
  {
    url: s.string('The page: share it with the payer.', {
      examples: ['https://pay.example.com/l/lnk_01k2v8n0d4e7g9h3j5m6p8q1rs'],
    }),
    amount_kobo: s.kobo('Integer kobo: ₦2,500.00 is 250000.', 250_000),
    currency: s.currency(),
    description: s.string('What the payment is for.', { examples: ['Two bags of rice'] }),
    customer: s.nullable(shownCustomer, {
      description: 'Who is to pay; null where it is not known.',
    }),
    provider: providerWanted('The provider wanted, or `auto`.'),
    status: status('`active` until it is paid, expires or is disabled.'),
    expires_at: s.time('Until when it can be paid.'),
    transaction_id: s.nullInExample(s.id('txn', 'The transaction that paid it; null until then.')),
    created_at: s.time('When it was created.'),
  },
);

export const paymentLinks = s.listOf('PaymentLinkList', paymentLink, 'A page of payment links.');
