import type { Answer, SandboxContext } from '../context.ts';
import { type DisputeRefusal, disputePayment } from '../disputes.ts';
import { findPaymentsOf } from '../pay-pages.ts';
import { isPaid } from '../payments.ts';
import { type ControlRoute, ok, referenceField, refuse } from './route.ts';

interface Input {
  reference: string;
  outcome?: 'won' | 'lost';
}

const refusals: Record<DisputeRefusal, string> = {
  unpaid: 'is not paid',
  reversed: 'has no money left to dispute',
  'open already': 'is disputed already: give an outcome to decide it',
};

/**
 * The customer's bank disputes a payment; `outcome` (won or lost, as the merchant sees it) decides
 * the dispute, opening it first if need be.
 */
export const dispute: ControlRoute = {
  method: 'post',
  path: '/dispute',
  fields: { reference: referenceField, outcome: { enum: ['won', 'lost'] } },
  required: ['reference'],
  async handle(context: SandboxContext, { reference, outcome }: Input): Promise<Answer> {
    const payments = await findPaymentsOf(context, reference);
    const payment = payments.find(isPaid) ?? payments[0];
    if (!payment) return refuse(404, `no payment of reference ${reference}`);
    const result = await disputePayment(context, payment.id, outcome);
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
