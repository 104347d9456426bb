import { requestRefund as request } from '../../domain/payments/commands/request-refund.ts';
import { refundView } from '../../domain/payments/refund/row.ts';
import { numberOf } from '../../domain/shared/ids.ts';
import { changeRoute } from '../http/idempotency.ts';
import { refund, requestRefundBody } from './schemas.ts';

export const requestRefund = changeRoute({
  path: '/refunds',
  operationId: 'requestRefund',
  summary:
    'Request a refund of a paid charge, in full or in part; ' +
    'it waits for an Owner of the business to approve it',
  credential: 'request refunds',
  body: requestRefundBody,
  answers: { 202: refund },
  refusals: ['not_found', 'invalid_state'],
  idempotent: true,
  async change(tx, caller, { body: { reference, amount_kobo: amountKobo, reason } }) {
    const wanted = { chargeNumber: numberOf(reference), amountKobo, reason };
    return refundView(await request(tx, caller, wanted));
  },
});
