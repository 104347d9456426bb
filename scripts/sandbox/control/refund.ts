import { findPaymentsOf } from '../payments.ts';
import type { RefundEnding } from '../records.ts';
import { planRefund } from '../refunds.ts';
import type { Answer, World } from '../world.ts';
import { type ControlRoute, ok, referenceField, refuse } from './route.ts';

interface Input {
  reference: string;
  outcome: RefundEnding;
}

/** Sets how the next refund of a payment ends; the one after it completes again. `SV-<n>` means its newest paid attempt, else its newest. */
export const refund: ControlRoute = {
  method: 'post',
  path: '/refund',
  fields: { reference: referenceField, outcome: { enum: ['completed', 'failed', 'needs-attention'] } },
  required: ['reference', 'outcome'],
  async handle(world: World, { reference, outcome }: Input): Promise<Answer> {
    const payments = await findPaymentsOf(world.sql, reference);
    const payment = payments.find(({ paidKobo }) => paidKobo !== null) ?? payments[0];
    if (!payment) return refuse(404, `no payment of reference ${reference}`);
    await planRefund(world.sql, payment.id, outcome);
    return ok({ reference: payment.reference, next_refund: outcome });
  },
};
