import type { Answer, SandboxContext } from '../context.ts';
import { forgetPayment } from '../forget-payment.ts';
import { findPaymentsOf } from '../pay-pages.ts';
import { isPaid } from '../payments.ts';
import { type ControlRoute, ok, referenceField, refuse } from './route.ts';

/**
 * The provider loses a payment: nothing it answers from now on knows the reference. `SV-<n>` means
 * its newest paid attempt, else its newest.
 */
export const forget: ControlRoute = {
  method: 'post',
  path: '/forget',
  fields: { reference: referenceField },
  required: ['reference'],
  async handle(context: SandboxContext, { reference }: { reference: string }): Promise<Answer> {
    const payments = await findPaymentsOf(context, reference);
    const payment = payments.find(isPaid) ?? payments[0];
    if (!payment) return refuse(404, `no payment of reference ${reference}`);
    const { provider, id } = payment.account;
    return ok({
      provider,
      account_id: id,
      reference: payment.reference,
      forgotten: await forgetPayment(context, payment),
    });
  },
};
