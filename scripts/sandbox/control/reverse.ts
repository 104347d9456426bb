import type { Answer, SandboxContext } from '../context.ts';
import { findPaymentsOf } from '../pay-pages.ts';
import { isPaid } from '../payments.ts';
import { type ReversalRefusal, reversePayment } from '../reversals.ts';
import { type ControlRoute, ok, referenceField, refuse } from './route.ts';

interface Input {
  reference: string;
  notify?: boolean;
}

const refusals: Record<ReversalRefusal, string> = {
  unpaid: 'is not paid',
  reversed: 'has no money left to reverse',
};

/**
 * The provider takes back what is left of a payment by itself: no refund and no dispute says so,
 * only the payment's own status. `SV-<n>` means its newest paid attempt, else its newest.
 */
export const reverse: ControlRoute = {
  method: 'post',
  path: '/reverse',
  fields: { reference: referenceField, notify: { type: 'boolean' } },
  required: ['reference'],
  async handle(context: SandboxContext, { reference, notify = true }: Input): Promise<Answer> {
    const payments = await findPaymentsOf(context, reference);
    const payment = payments.find(isPaid) ?? payments[0];
    if (!payment) return refuse(404, `no payment of reference ${reference}`);
    const result = await reversePayment(context, payment.id, notify);
    if (typeof result === 'string')
      return refuse(409, `reference ${payment.reference} ${refusals[result]}`);
    return ok({ reference: payment.reference, reversed_kobo: result });
  },
};
