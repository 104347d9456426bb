import type { Answer, SandboxContext } from '../context.ts';
import { findPaymentsOf } from '../pay-pages.ts';
import { isPaid } from '../payments.ts';
import type { Payment, RefundEnding } from '../records.ts';
import { failCompletedRefund, planRefund, type RefundRefusal, refundNow } from '../refunds.ts';
import { type ControlRoute, koboField, ok, referenceField, refuse } from './route.ts';

interface Input {
  reference: string;
  outcome?: RefundEnding;
  now?: boolean;
  amount_kobo?: number;
  fail_completed?: boolean;
}

/**
 * With `fail_completed`, the payment's newest completed refund fails after all. Otherwise sets how
 * the next refund of a payment ends; the one after it completes again. With `now`, refunds
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
    fail_completed: { type: 'boolean' },
  },
  required: ['reference'],
  async handle(
    context: SandboxContext,
    { reference, outcome, now, amount_kobo: amountKobo, fail_completed: failCompleted }: Input,
  ): Promise<Answer> {
    if (failCompleted) return failLast(context, reference);
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

async function failLast(context: SandboxContext, reference: string): Promise<Answer> {
  const payment = (await findPaymentsOf(context, reference)).find(isPaid);
  const failed = payment && (await failCompletedRefund(context, payment.id));
  return failed
    ? ok({ reference, refund: { id: failed.id, amount_kobo: failed.amountKobo, status: 'failed' } })
    : refuse(409, `reference ${reference} has no completed refund that could fail`);
}

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
