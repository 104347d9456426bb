import { mailPaymentLink as mail } from '../../domain/payments/commands/mail-payer.ts';
import { requireLink } from '../../domain/payments/payment-link/find.ts';
import { paymentLinkView } from '../../domain/payments/payment-link/row.ts';
import { changeRoute } from '../http/idempotency.ts';
import { throttlePayerMail } from '../middleware/limit.ts';
import { paymentLink } from './schemas.ts';

export const mailPaymentLink = changeRoute({
  path: '/payment-links/:id/mail',
  operationId: 'mailPaymentLink',
  summary:
    'Mail an active payment link to its customer. In live mode only, and three times within a ' +
    'day at most',
  credential: 'mail payers',
  answers: { 202: paymentLink },
  refusals: ['invalid_state'],
  idempotent: true,
  async change(tx, caller, { id, context }) {
    const link = await requireLink(tx.sql, caller, id);
    await mail(tx, caller, link);
    await throttlePayerMail(context, link);
    return paymentLinkView(link, context.env.publicUrl, tx.now);
  },
});
