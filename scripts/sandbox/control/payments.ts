import type { Answer, SandboxContext } from '../context.ts';
import { findPaymentsOf } from '../pay-pages.ts';
import { summarise } from './payment-summary.ts';
import { type ControlRoute, ok, referenceField } from './route.ts';

/** Every payment of a charge, newest first. */
export const payments: ControlRoute = {
  method: 'get',
  path: '/payments',
  fields: { reference: referenceField },
  required: ['reference'],
  async handle(context: SandboxContext, { reference }: { reference: string }): Promise<Answer> {
    const found = await findPaymentsOf(context, reference);
    return ok({ data: found.map((payment) => summarise(context, payment.account, payment)) });
  },
};
