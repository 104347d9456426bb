import type { Answer, SandboxContext } from '../context.ts';
import { findPaymentsOf } from '../pay-pages.ts';
import { isPaid } from '../payments.ts';
import type { Payment, RefundEnding } from '../records.ts';
import { planRefund, type RefundRefusal, refundNow } from '../refunds.ts';
import { type ControlRoute, koboField, ok, referenceField, refuse } from './route.ts';

interface Input {
  reference: string;
  outcome?: RefundEnding;
  now?: boolean;
  amount_kobo?: number;
}

/**
 * Sets how the next refund of a payment ends; the one after it completes again. With `now`, refunds
 * it at once instead, all that is left or  `amount_kobo`, as the merchant's staff may in the
 * provider's dashboard. `SV-<n>` means its newest paid attempt, else its newest.
 */
export const refund: ControlRoute = {
  method: 'post',
  path: '/refund',
  fields: {
    reference: referenceField,
    outcome: { enum: ['completed', 'failed', 'needs-attention'] },
    now: { type: 'boolean' },
    amount_kobo: { ...koboField, minimum: 1 },
  },
  required: ['reference'],
  async handle(
    context: SandboxContext,
    { reference, outcome, now, amount_kobo: amountKobo }: Input,
  ): Promise<Answer> {
    if (!now && !outcome) return refuse(400, 'outcome is required');
    if (now && outcome) return refuse(400, 'outcome is for a refund to come, not for one made now');
    if (!now && amountKobo !== undefined)
      return refuse(400, 'amount_kobo is for a refund made now');
    const payments = await findPaymentsOf(context, reference);
    const payment = payments.find(isPaid) ?? payments[0];
    if (!payment) return refuse(404, `no payment of reference ${reference}`);
    if (!outcome) return refundAtOnce(context, payment, amountKobo);
    await planRefund(context.sql, payment.id, outcome);
    return ok({ reference: payment.reference, next_refund: outcome });
  },
};

const refusals: Record<RefundRefusal, string> = {
  unpaid: 'is not paid',
  reversed: 'has no money left to refund',
  'too much': 'has less money left than that',
};

async function refundAtOnce(
  context: SandboxContext,
  payment: Payment,
  amountKobo: number | undefined,
): Promise<Answer> {
  const result = await refundNow(context, payment.id, amountKobo);
  if (typeof result === 'string')
    return refuse(409, `reference ${payment.reference} ${refusals[result]}`);
  return ok({
    reference: payment.reference,
    refund: { id: result.id, amount_kobo: result.amountKobo, status: result.status },
  });
}
