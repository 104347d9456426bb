import { isOpen, mayBePaid } from '../../../domain/payments/charge/ending.ts';
import { findByNumber, findByTransactionId } from '../../../domain/payments/charge/find.ts';
import { payerMailOf } from '../../../domain/payments/charge/payer-mail.ts';
import type { ChargeRow } from '../../../domain/payments/charge/row.ts';
import { transactionView as shownTransaction } from '../../../domain/payments/charge/row.ts';
import { detailsOf } from '../../../domain/payments/charge-details.ts';
import { requireNoMoney } from '../../../domain/payments/commands/cancel-charge.ts';
import { obstacleToMail, requirePayerMail } from '../../../domain/payments/commands/mail-payer.ts';
import { knownEmail } from '../../../domain/payments/entities/charge.ts';
import {
  obstacleTo,
  requireRefundable,
  stillRefundable,
} from '../../../domain/payments/refund/refundable.ts';
import {
  checkoutIdOf,
  customerIdOf,
  isId,
  numberOf,
  referenceOf,
} from '../../../domain/shared/ids.ts';
import { lagosDay } from '../../../domain/shared/lagos.ts';
import { formatNaira } from '../../../domain/shared/money.ts';
import { Problem } from '../../../domain/shared/problems.ts';
import { deliveriesOfSubjects } from '../../../domain/webhooks/delivery/of-subject.ts';
import { cancelCharge } from '../../charges/cancel-charge.ts';
import { listChargeTimeline } from '../../charges/list-charge-timeline.ts';
import { mailCharge } from '../../charges/mail-charge.ts';
import { resendDelivery } from '../../deliveries/resend-delivery.ts';
import { listRefunds } from '../../refunds/list-refunds.ts';
import { requestRefund } from '../../refunds/request-refund.ts';
import { getSettlement } from '../../settlements/get-settlement.ts';
import { koboOf, netKoboOf } from '../amounts.ts';
import { movedBy } from '../balances/moved.ts';
import { calling, MAILED_NOW } from '../forms.ts';
import { type DashboardRequest, view } from '../request.ts';
import { happened } from './happened.ts';

export const transactionView = view('transactions', {
  path: '/transactions/:reference',
  title: 'Transaction',
  template: 'transactions/transaction',
  async load(request) {
    const { context, session, call } = request;
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
    const records = [...details.captures, ...refunds.data, ...details.disputes];
    const subjects = [charge, ...refunds.data, ...details.disputes].map(({ id }) => id);
    return {
      title: reference,
      transaction,
      netKobo: netKoboOf(transaction),
      charge,
      customerId: knownEmail(charge.email) === null ? undefined : customerIdOf(charge.id),
      isOpen: isOpen(charge),
      today: lagosDay(context.clock()),
      mayBePaid: mayBePaid(charge, context.clock()),
      ...details,
      timeline: withoutRepetition(timeline.data),
      happened,
      timelineGoesOn: timeline.next_cursor !== undefined,
      refunds: refunds.data,
      refundableKobo: await stillRefundable(context.db, charge),
      obstacle: await obstacleTo(context.db, charge),
      payerMail: payerMailOf(charge, context.clock()),
      noMail: obstacleToMail(context.mail !== null, session.mode),
      settlement,
      moved: await movedBy(
        request,
        records.map(({ id }) => id),
      ),
      deliveries: await deliveriesOfSubjects(context.db, session, subjects),
      checkoutUrl: `${context.env.publicUrl}/pay/${checkoutIdOf(charge.id)}`,
    };
  },
  forms: [
    {
      path: '/transactions/:reference/refund',
      permission: 'request refunds',
      async ask(request) {
        const charge = await chargeOf(request);
        const { db } = request.context;
        await requireRefundable(db, charge);
        const leftKobo = await stillRefundable(db, charge);
        if (leftKobo === 0)
          throw new Problem(
            'invalid_state',
            'Earlier refunds, asked for or done, are the whole charge.',
          );
        return {
          title: 'Request a refund?',
          facts: { ...factsOf(charge), 'Still refundable': formatNaira(leftKobo) },
          consequence: 'An Owner decides about it. Nothing is sent before.',
          fields: [
            {
              name: 'amount',
              field: 'amount_kobo',
              label: 'Amount in naira',
              inputmode: 'decimal',
              required: true,
              value: (leftKobo / 100).toFixed(2),
            },
            { name: 'reason', label: 'Reason', required: true, maxlength: 500 },
          ],
        };
      },
      async submit({ call, params: { reference }, values: { amount, reason } }) {
        const amountKobo = koboOf('amount_kobo', amount);
        await call(requestRefund, { body: { reference, reason, amount_kobo: amountKobo } });
        return { notice: 'refund_requested' };
      },
    },
    {
      path: '/transactions/:reference/cancel',
      permission: 'cancel charges',
      async ask(request) {
        const charge = await chargeOf(request);
        requireNoMoney(charge);
        return {
          title: 'Cancel this charge?',
          facts: factsOf(charge),
          consequence: isOpen(charge)
            ? 'The provider is asked first: where no money came, the charge fails, and its ' +
              'customer can pay it no more.'
            : 'It was declined: its customer can try it no more.',
        };
      },
      submit: calling(cancelCharge, 'charge_cancelled'),
    },
    {
      path: '/transactions/:reference/mail',
      permission: 'mail payers',
      async ask(request) {
        const charge = await chargeOf(request);
        const sendsMail = request.context.mail !== null;
        const kind = requirePayerMail({ sendsMail, now: request.now }, charge);
        return {
          title: kind === 'receipt' ? 'Mail the receipt?' : 'Mail the checkout?',
          facts: factsOf(charge),
          consequence: MAILED_NOW,
        };
      },
      submit: calling(mailCharge, 'payer_mailed'),
    },
    {
      path: '/transactions/:reference/resend/:delivery',
      permission: 'develop',
      async submit({ call, params: { delivery = '' } }) {
        await call(resendDelivery, { params: { id: delivery } });
        return { notice: 'delivery_resent' };
      },
    },
  ],
});

type Entry = { detail: string | null };

/** A declined attempt and its charge have one reason: it is told once. */
const withoutRepetition = (entries: readonly Entry[]) =>
  entries.map((entry, index) =>
    entry.detail === entries[index - 1]?.detail ? { ...entry, detail: null } : entry,
  );

/** Finds a charge by either of its names. Throws 404. */
export async function chargeOf({
  context: { db },
  session,
  params: { reference = '' },
}: DashboardRequest): Promise<ChargeRow> {
  const number = numberOf(reference);
  const charge =
    number !== undefined
      ? await findByNumber(db, session, number)
      : isId('txn', reference) && (await findByTransactionId(db, session, reference));
  if (!charge)
    throw new Problem('not_found', `There is no transaction ${reference} in ${session.mode} mode.`);
  return charge;
}

const factsOf = ({ amount_kobo: amountKobo, email, number, description }: ChargeRow) => ({
  Amount: formatNaira(amountKobo),
  Customer: email,
  Charge: referenceOf(number),
  ...(description && { Description: description }),
});
