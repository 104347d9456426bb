import { findByNumber, findByTransactionId } from '../../../domain/payments/charge/find.ts';
import type { ChargeRow } from '../../../domain/payments/charge/row.ts';
import { transactionView as shownTransaction } from '../../../domain/payments/charge/row.ts';
import { detailsOf } from '../../../domain/payments/charge-details.ts';
import { obstacleTo, stillRefundable } from '../../../domain/payments/refund/refundable.ts';
import { checkoutIdOf, isId, numberOf, referenceOf } from '../../../domain/shared/ids.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import { deliveriesOfSubjects } from '../../../domain/webhooks/delivery/of-subject.ts';
import { cancelCharge } from '../../charges/cancel-charge.ts';
import { listChargeTimeline } from '../../charges/list-charge-timeline.ts';
import { resendDelivery } from '../../deliveries/resend-delivery.ts';
import { listRefunds } from '../../refunds/list-refunds.ts';
import { requestRefund } from '../../refunds/request-refund.ts';
import { getSettlement } from '../../settlements/get-settlement.ts';
import { koboOf, netKoboOf } from '../amounts.ts';
import type { DashboardRequest, Form, View } from '../request.ts';

/** Everything support needs to explain one transaction. */
export const transactionView: View = {
  path: '/transactions/:reference',
  title: 'Transaction',
  template: 'transactions/transaction',
  section: 'transactions',
  permission: 'read',
  async load(request) {
    const { context, session, mode, call } = request;
    const charge = await chargeOf(request);
    const reference = referenceOf(charge.number);
    const transaction = shownTransaction(charge);
    const [details, timeline, refunds, settlement] = await Promise.all([
      detailsOf(context.db, charge.id),
      call(listChargeTimeline, { params: { reference }, query: { limit: '100' } }),
      call(listRefunds, { query: { reference, limit: '100' } }),
      charge.settlement_id
        ? call(getSettlement, { params: { id: charge.settlement_id } })
        : undefined,
    ]);
    const refundIds = refunds.data.map(({ id }: { id: string }) => id);
    return {
      title: reference,
      transaction,
      netKobo: netKoboOf(transaction),
      charge,
      ...details,
      timeline: timeline.data,
      timelineGoesOn: timeline.next_cursor !== undefined,
      refunds: refunds.data,
      refundableKobo: await stillRefundable(context.db, charge),
      obstacle: obstacleTo(charge),
      settlement,
      deliveries: await deliveriesOfSubjects(context.db, { tenantId: session.tenantId, mode }, [
        charge.id,
        ...refundIds,
      ]),
      checkoutUrl: `${context.env.publicUrl}/pay/${checkoutIdOf(charge.id)}`,
    };
  },
};

export const requestRefundForm: Form = {
  path: '/transactions/:reference/refund',
  view: transactionView,
  permission: 'collect',
  async submit({ call, params, values }) {
    const { amount, reason } = values;
    const { reference = '' } = params;
    await call(requestRefund, {
      body: {
        reference,
        reason,
        ...(amount ? { amount_kobo: koboOf('amount_kobo', amount) } : {}),
      },
    });
    return { to: `/transactions/${reference}`, notice: 'refund_requested' };
  },
};

export const cancelChargeForm: Form = {
  path: '/transactions/:reference/cancel',
  view: transactionView,
  permission: 'collect',
  async submit({ call, params: { reference = '' } }) {
    await call(cancelCharge, { params: { reference } });
    return { to: `/transactions/${reference}`, notice: 'charge_cancelled' };
  },
};

export const resendDeliveryForm: Form = {
  path: '/transactions/:reference/resend/:delivery',
  view: transactionView,
  permission: 'develop',
  async submit({ call, params: { reference = '', delivery = '' } }) {
    await call(resendDelivery, { params: { id: delivery } });
    return { to: `/transactions/${reference}`, notice: 'delivery_resent' };
  },
};

/** The charge of the address, by either of its names. Throws 404. */
export async function chargeOf({
  context: { db },
  session: { tenantId },
  mode,
  params: { reference = '' },
}: DashboardRequest): Promise<ChargeRow> {
  const number = numberOf(reference);
  const reader = { tenantId, mode };
  const charge =
    number !== undefined
      ? await findByNumber(db, reader, number)
      : isId('txn', reference) && (await findByTransactionId(db, reader, reference));
  if (!charge)
    throw new Problem('not_found', `There is no transaction ${reference} in ${mode} mode.`);
  return charge;
}
