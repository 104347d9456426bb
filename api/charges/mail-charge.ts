import { checkoutOf } from '../../domain/payments/charge/row.ts';
import { mailCharge as mail } from '../../domain/payments/commands/mail-payer.ts';
import { changeRoute } from '../http/idempotency.ts';
import { throttlePayerMail } from '../middleware/limit.ts';
import { chargeOf } from './get-charge.ts';
import { checkout } from './schemas.ts';

export const mailCharge = changeRoute({
  path: '/charges/:reference/mail',
  operationId: 'mailCharge',
  summary:
    'Mail the payer the receipt of a paid charge, or where to pay one that can be paid. In live ' +
    'mode only, and three times within a day at most',
  credential: 'mail payers',
  answers: { 202: checkout },
  refusals: ['invalid_state'],
  idempotent: true,
  async change(tx, caller, { context, params }) {
    const charge = await chargeOf(context, caller, params.reference!);
    await mail(tx, caller, charge);
    await throttlePayerMail(context, charge);
    return checkoutOf(charge, context.env.publicUrl);
  },
});
