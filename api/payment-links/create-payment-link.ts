import { createPaymentLink as writeLink } from '../../domain/payments/payment-link/create.ts';
import { paymentLinkView } from '../../domain/payments/payment-link/row.ts';
import { normalisePhone } from '../../domain/shared/phone.ts';
import { noProvider } from '../charges/no-provider.ts';
import { changeRoute } from '../http/idempotency.ts';
import { createPaymentLinkBody, DEFAULT_DAYS, paymentLink } from './schemas.ts';

export const createPaymentLink = changeRoute({
  path: '/payment-links',
  operationId: 'createPaymentLink',
  summary: 'Create a payment link: a page where a payer pays this amount, once',
  credential: 'manage payment links',
  body: createPaymentLinkBody,
  answers: { 201: paymentLink },
  refusals: ['no_provider'],
  idempotent: true,
  async change(tx, caller, { context, body }) {
    const { customer: { name = null, email = null, phone } = {}, provider = 'auto' } = body;
    const link = await writeLink(tx, caller, {
      amountKobo: body.amount_kobo,
      description: body.description,
      customerName: name,
      customerEmail: email,
      customerPhone: phone === undefined ? null : normalisePhone(phone),
      provider,
      expiresInDays: body.expires_in_days ?? DEFAULT_DAYS,
    });
    if (!link) throw noProvider(provider, caller.mode);
    return paymentLinkView(link, context.env.publicUrl, tx.now);
  },
});
