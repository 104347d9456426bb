import type { Answer, SandboxContext } from '../context.ts';
import { type DisputeRefusal, disputePayment } from '../disputes.ts';
import { findPaymentsOf } from '../pay-pages.ts';
import { isPaid } from '../payments.ts';
import { type ControlRoute, koboField, ok, referenceField, refuse } from './route.ts';

interface Input {
  reference: string;
  outcome?: 'won' | 'lost';
  amount_kobo?: number;
}

const refusals: Record<DisputeRefusal, string> = {
  unpaid: 'is not paid',
  reversed: 'has no money left to dispute',
  'open already': 'is disputed already: give an outcome to decide it',
  'too much': 'has less money left than that',
};

/**
 * The customer's bank disputes a payment, all that is left of it or `amount_kobo`; `outcome` (won
 * or lost, as the merchant sees it) decides the dispute, opening it first if need be.
 */
export const dispute: ControlRoute = {
  method: 'post',
  path: '/dispute',
  fields: {
    reference: referenceField,
    outcome: { enum: ['won', 'lost'] },
    amount_kobo: { ...koboField, minimum: 1 },
  },
  required: ['reference'],
  async handle(
    context: SandboxContext,
    { reference, outcome, amount_kobo: amount }: Input,
  ): Promise<Answer> {
    const payments = await findPaymentsOf(context, reference);
    const payment = payments.find(isPaid) ?? payments[0];
    if (!payment) return refuse(404, `no payment of reference ${reference}`);
    const result = await disputePayment(context, payment.id, { outcome, amountKobo: amount });
    if (typeof result === 'string')
      return refuse(409, `reference ${reference} ${refusals[result]}`);
    const { id, amountKobo, resolution } = result;
    return ok({
      id,
      reference: payment.reference,
      amount_kobo: amountKobo,
      status: resolution ?? 'open',
    });
  },
};
