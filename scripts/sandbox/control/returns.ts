import Type, { type Static, type TObject } from 'typebox';
import { disputePayment } from '../disputes.ts';
import { notifyOf } from '../notifications.ts';
import type { Refund } from '../records.ts';
import { failCompletedRefund, refundNow, reversePayment } from '../refunds.ts';
import { flag, kobo, type Operation, ok, paymentOperation, refuse } from './operation.ts';

const refusals = {
  unpaid: 'is not paid',
  reversed: 'has no money left',
  'too much': 'has less money left than that',
  'open already': 'is disputed already: give an outcome to decide it',
};

const amount_kobo = Type.Optional(kobo(1));

const refundFields = {
  outcome: Type.Optional(Type.Enum(['completed', 'failed', 'needs-attention'])),
  now: flag,
  amount_kobo,
  fail_completed: flag,
};

const refundAny = paymentOperation('/refund', refundFields, (context, payment, input) => {
  const { reference } = payment;
  const { outcome, amount_kobo: amountKobo } = input;
  const show = ({ id, amountKobo, status }: Refund) =>
    ok({ reference, refund: { id, amount_kobo: amountKobo, status } });
  if (input.fail_completed) {
    const failed = failCompletedRefund(context, payment);
    if (failed) return show(failed);
    return refuse(409, `reference ${reference} has no completed refund that could fail`);
  }
  if (outcome) {
    context.store.payment.change(payment, { nextRefund: outcome });
    return ok({ reference, next_refund: outcome });
  }
  const made = refundNow(context, payment, amountKobo);
  return typeof made === 'string'
    ? refuse(409, `reference ${reference} ${refusals[made]}`)
    : show(made);
});

/** How the next refund ends, a refund made now, or a completed one that fails after all. */
export const refund: Operation = {
  ...refundAny,
  check: (input) => refundAny.check(input) ?? complaintAbout(input as RefundInput),
};

type RefundInput = Static<TObject<typeof refundFields>>;

function complaintAbout(input: RefundInput): string | undefined {
  const { outcome, now, amount_kobo: amountKobo, fail_completed: isFailed } = input;
  if (isFailed) return undefined;
  if (now && outcome) return 'outcome is for a refund to come, not for one made now';
  if (!now && !outcome) return 'outcome is required';
  return !now && amountKobo ? 'amount_kobo is for a refund made now' : undefined;
}

const disputeFields = { outcome: Type.Optional(Type.Enum(['won', 'lost'])), amount_kobo };

/** The customer's bank disputes a payment, or a part; an outcome decides the dispute. */
export const dispute = paymentOperation('/dispute', disputeFields, (context, payment, input) => {
  const { reference } = payment;
  const { outcome, amount_kobo: wanted } = input;
  const disputed = disputePayment(context, payment, { outcome, amountKobo: wanted });
  if (typeof disputed === 'string')
    return refuse(409, `reference ${reference} ${refusals[disputed]}`);
  const { id, amountKobo, resolution } = disputed;
  return ok({ id, reference, amount_kobo: amountKobo, status: resolution ?? 'open' });
});

/** The provider takes back what is left of a payment by itself: only its status says so. */
export const reverse = paymentOperation('/reverse', { notify: flag }, (context, payment, input) => {
  const { reference } = payment;
  const taken = reversePayment(context, payment);
  if (typeof taken === 'string') return refuse(409, `reference ${reference} ${refusals[taken]}`);
  if (input.notify !== false) notifyOf(context, { payment });
  return ok({ reference, reversed_kobo: taken });
});
