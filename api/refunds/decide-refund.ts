import {
  approveRefund as writeApproval,
  rejectRefund as writeRejection,
} from '../../domain/payments/refund/decide.ts';
import { refundView } from '../../domain/payments/refund/row.ts';
import { changeInTx } from '../http/idempotency.ts';
import type { Route } from '../http/route.ts';
import { refundId } from './read-refunds.ts';
import { type RejectionBody, refund, rejectionBody } from './schemas.ts';

export const approveRefund: Route<object> = {
  method: 'post',
  path: '/refunds/:id/approve',
  summary:
    'Approve a requested refund, so that it is sent to the provider; an Owner may approve a request of their own',
  may: 'decide refunds',
  answers: { 200: refund },
  refusals: ['invalid_state'],
  async handle({ context, caller, params }) {
    const who = await caller();
    return changeInTx(context, async (tx) => {
      const approved = await writeApproval(tx, who, refundId(params));
      return { status: 200, body: refundView(approved.refund), jobs: approved.jobs };
    });
  },
};

export const rejectRefund: Route<RejectionBody> = {
  method: 'post',
  path: '/refunds/:id/reject',
  summary: 'Reject a requested refund; nothing is sent',
  may: 'decide refunds',
  body: rejectionBody,
  answers: { 200: refund },
  refusals: ['invalid_state'],
  async handle({ context, caller, params, body }) {
    const who = await caller();
    return changeInTx(context, async (tx) => ({
      status: 200,
      body: refundView(await writeRejection(tx, who, refundId(params), body.reason)),
    }));
  },
};
