import { createPaymentLink as writeLink } from '../../domain/payments/payment-link/create.ts';
import { paymentLinkView } from '../../domain/payments/payment-link/row.ts';
import { normalisePhone } from '../../domain/shared/phone.ts';
import { noProvider } from '../charges/no-provider.ts';
import { withIdempotency } from '../http/idempotency.ts';
import { type ApiRequest, route } from '../http/route.ts';
import {
  type CreatePaymentLinkBody,
  createPaymentLinkBody,
  expiresInDays,
  paymentLink,
} from './schemas.ts';

export const createPaymentLink = route({
  method: 'post',
  path: '/payment-links',
  operationId: 'createPaymentLink',
  summary: 'Create a payment link: a page where a payer pays this amount, once',
  credential: 'collect',
  body: createPaymentLinkBody,
  answers: { 201: paymentLink },
  refusals: ['no_provider'],
  idempotent: true,
  handle: create,
});

function create(call: ApiRequest<CreatePaymentLinkBody>) {
  const { context, body } = call;
  const { name = null, phone } = body.customer ?? {};
  const provider = body.provider ?? 'auto';
  const wanted = {
    amountKobo: body.amount_kobo,
    description: body.description,
    customerName: name,
    customerPhone: phone === undefined ? null : normalisePhone(phone),
    provider,
    expiresInDays: expiresInDays(body),
  };
  return withIdempotency(call, async (tx, caller) => {
    const link = await writeLink(tx, caller, wanted);
    if (!link) throw noProvider(provider, caller.mode);
    return { status: 201, body: paymentLinkView(link, context.env.publicUrl, tx.now) };
  });
}
