import { requestRefund as writeRequest } from '../../domain/payments/commands/request-refund.ts';
import { refundView } from '../../domain/payments/refund/row.ts';
import { numberOf } from '../../domain/shared/ids.ts';
import { withIdempotency } from '../http/idempotency.ts';
import { type ApiRequest, route } from '../http/route.ts';
import { type RequestRefundBody, refund, requestRefundBody } from './schemas.ts';

export const requestRefund = route({
  method: 'post',
  path: '/refunds',
  operationId: 'requestRefund',
  summary:
    'Request a refund of a paid charge, in full or in part; ' +
    'it waits for an Owner of the business to approve it',
  credential: 'collect',
  body: requestRefundBody,
  answers: { 202: refund },
  refusals: ['not_found', 'invalid_state'],
  idempotent: true,
  handle: request,
});

function request(call: ApiRequest<RequestRefundBody>) {
  const { reference, amount_kobo: amountKobo, reason } = call.body;
  return withIdempotency(call, async (tx, caller) => {
    const row = await writeRequest(tx, caller, {
      chargeNumber: numberOf(reference),
      amountKobo,
      reason,
    });
    return { status: 202, body: refundView(row), created: row.id };
  });
}
