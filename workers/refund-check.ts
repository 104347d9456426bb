import type { Context } from '../config/context.ts';
import { findConnection } from '../domain/accounts/connection/connection.ts';
import { recordRefund } from '../domain/payments/facts/record-refund.ts';
import { checkBeforeResending } from '../domain/payments/facts/send-refund.ts';
import type { RefundFact } from '../domain/payments/refund/decision.ts';
import {
  findRefundedCapture,
  type RefundedCapture,
} from '../domain/payments/refund/find-capture.ts';
import type { RefundRow } from '../domain/payments/refund/row.ts';
import { isUnacknowledged } from '../domain/payments/refund/transitions.ts';
import { findRefundOf } from '../domain/payments/refund-listing/find-refunds.ts';
import type { Provider } from '../domain/providers/port/provider.ts';
import {
  isDeferral,
  onlyProviderError,
  ProviderError,
} from '../domain/providers/port/provider-error.ts';
import { completed, eachRow, type JobHandler, type Outcome, retryOrSnooze } from './job-handler.ts';
import { askingContext, paymentOf, recordListed, sendRefund } from './refund-execute.ts';

export const checkRefund: JobHandler<RefundRow> = {
  queue: 'refund-check',
  traceOf: ({ id, charge_id }) => ({ subject: id, links: [charge_id] }),
  handle: eachRow(check),
};

async function check(context: Context, refund: RefundRow): Promise<Outcome> {
  const answer = await ask(context, refund);
  // Its status changed meanwhile, and its row already says when it is due.
  if (!answer) return completed();
  const isError = answer instanceof ProviderError;
  if (isError && isDeferral(answer)) return retryOrSnooze(refund, answer, context.clock());
  const fact: RefundFact = isError ? { type: 'no answer' } : answer;
  await context.inTx((tx) => recordRefund(tx, refund.id, fact));
  return completed();
}

/**
 * A refund never acknowledged and not known may not have arrived: it is sent again where the
 * provider pays one id once. One acknowledged and not known any more needs a person.
 */
async function ask(
  context: Context,
  refund: RefundRow,
): Promise<RefundFact | ProviderError | undefined> {
  const capture = (await findRefundedCapture({ sql: context.db }, refund))!;
  const connection = (await findConnection(context.db, capture.connection_id))!;
  const isInFlight = isUnacknowledged(refund.status);
  const provider = context.providerOf(connection, isInFlight ? 'send' : 'check');
  const wanted = {
    refundId: refund.id,
    providerRefundId: refund.provider_refund_id,
    payment: paymentOf(capture),
  };
  const asking = askingContext(context, provider, capture);
  const found = await findRefundOf(asking, wanted).catch(onlyProviderError);
  if (found instanceof ProviderError) return found;
  if (found) return { type: 'reported', refund: found };
  if (isInFlight && provider.capabilities.idempotentRefunds && !capture.is_disabled)
    return sendAgain(context, refund, capture, provider);
  return { type: 'unclear', message: 'The provider shows no such refund', sendsAgain: false };
}

/** After the checks of the first time: the money may have gone back, or be in dispute. */
async function sendAgain(
  context: Context,
  refund: RefundRow,
  capture: RefundedCapture,
  provider: Provider,
): Promise<RefundFact | ProviderError | undefined> {
  const failure = await recordListed(context, provider, capture);
  if (failure) return failure;
  const check = await checkOnce(context, refund, capture);
  if (check.type === 'claim lost') return undefined;
  if (check.type === 'wait') return { type: 'blocked', reason: check.reason };
  if (check.type === 'over')
    return { type: check.isReturned ? 'nothing left' : 'refused', message: check.message };
  const fact = await sendRefund(context, refund, capture, provider);
  if (fact instanceof ProviderError) return fact;
  // The first request may still be in progress, and be the reason for this refusal.
  const isEarly = context.clock().getTime() - refund.sent_at!.getTime() < LATE_MS;
  return fact.type === 'refused' && isEarly
    ? { type: 'unclear', message: fact.message, sendsAgain: true }
    : fact;
}

const LATE_MS = 5 * 60_000;

async function checkOnce({ inTx }: Context, refund: RefundRow, capture: RefundedCapture) {
  return inTx((tx) => checkBeforeResending(tx, refund, capture));
}
