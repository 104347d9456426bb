import { checkoutOf } from '../../domain/payments/charge/row.ts';
import { requestCancel, requireNoMoney } from '../../domain/payments/commands/cancel-charge.ts';
import { type ApiRequest, route } from '../http/route.ts';
import { askProviders } from './ask-providers.ts';
import { chargeOf } from './get-charge.ts';
import { checkout } from './schemas.ts';

export const cancelCharge = route({
  method: 'post',
  path: '/charges/:reference/cancel',
  operationId: 'cancelCharge',
  summary: 'Cancel an unpaid charge; it stays open until the provider has said that no money came',
  credential: 'cancel charges',
  answers: { 200: checkout },
  refusals: ['invalid_state'],
  handle: cancel,
});

/** Answers failed, or still open where a provider did not answer. `invalid_state`: money came. */
async function cancel({ context, caller, params }: ApiRequest) {
  const who = await caller();
  const { id } = await chargeOf(context, who, params.reference!);
  await context.inTx((tx) => requestCancel(tx, who, id));
  await askProviders(context, await chargeOf(context, who, params.reference!), 'merchant');
  const fresh = await chargeOf(context, who, params.reference!);
  requireNoMoney(fresh);
  return { status: 200, body: checkoutOf(fresh, context.env.publicUrl) };
}
