import type { Context } from '../config/context.ts';
import { findConnection } from '../domain/accounts/connection/connection.ts';
import { recordRefund } from '../domain/payments/record-refund.ts';
import type { RefundNotice } from '../domain/payments/refund/decision.ts';
import {
  findRefundedCapture,
  type RefundedCapture,
} from '../domain/payments/refund/find-capture.ts';
import type { RefundRow } from '../domain/payments/refund/row.ts';
import { isUnacknowledged } from '../domain/payments/refund/transitions.ts';
import { checkBeforeResending, type SendCheck } from '../domain/payments/send-refund.ts';
import { type Provider, ProviderError } from '../domain/providers/provider.ts';
import { completed, eachRow, type JobHandler, type Outcome } from './job-handler.ts';
import { onlyProviderError, paymentOf, recordListed, sendRefund } from './refund-execute.ts';

/** Asks the provider what became of a refund that was sent. */
export const checkRefund: JobHandler<RefundRow> = { queue: 'refund-check', handle: eachRow(check) };

async function check(context: Context, refund: RefundRow): Promise<Outcome> {
  const notice = await ask(context, refund);
  if (!notice) return completed(); // known at the provider meanwhile: the row says what is owed
  await context.inTx((tx) => recordRefund(tx, refund.id, notice));
  return completed();
}

/**
 * One the provider does not know and never acknowledged may not have arrived: it is sent again only
 * where the provider pays one id once. One that was acknowledged and is not known any more is a
 * person's to look at.
 */
async function ask(context: Context, refund: RefundRow): Promise<RefundNotice | undefined> {
  const capture = (await findRefundedCapture({ sql: context.db }, refund))!;
  const provider = context.providerOf((await findConnection(context.db, capture.connection_id))!);
  const wanted = {
    refundId: refund.id,
    providerRefundId: refund.provider_refund_id,
    payment: paymentOf(capture),
  };
  const found = await provider
    .findRefund(wanted, { timeoutMs: context.timeouts.verifyMs })
    .catch(onlyProviderError);
  if (found instanceof ProviderError) return { type: 'no answer' };
  if (found) return { type: 'stated', refund: found };
  if (
    isUnacknowledged(refund.status) &&
    provider.capabilities.idempotentRefunds &&
    !capture.is_disabled
  )
    return sendAgain(context, refund, capture, provider);
  return { type: 'unclear', message: 'The provider shows no such refund', sendsAgain: false };
}

/**
 * Its money may have gone back elsewhere meanwhile, or be in dispute, which is looked at first, as
 * before the first sending.
 */
async function sendAgain(
  context: Context,
  refund: RefundRow,
  capture: RefundedCapture,
  provider: Provider,
): Promise<RefundNotice | undefined> {
  if (await recordListed(context, provider, capture)) return { type: 'no answer' };
  const check = await checkOnce(context, refund, capture);
  if (check.type === 'taken') return undefined;
  if (check.type === 'wait') return { type: 'blocked', reason: check.reason };
  if (check.type === 'over')
    return { type: check.isReturned ? 'nothing left' : 'refused', message: check.message };
  const notice = await sendRefund(context, refund, capture, provider);
  if (notice instanceof ProviderError) return { type: 'no answer' };
  // The first one may be on its way still, and be the very reason for this no.
  const isEarly = context.clock().getTime() - refund.sent_at!.getTime() < LATE_MS;
  return notice.type === 'refused' && isEarly
    ? { type: 'unclear', message: notice.message, sendsAgain: true }
    : notice;
}

/** By then the provider shows what it took. */
const LATE_MS = 5 * 60_000;

async function checkOnce(
  { inTx }: Context,
  refund: RefundRow,
  capture: RefundedCapture,
): Promise<SendCheck> {
  let check: SendCheck = { type: 'taken' };
  await inTx(async (tx) => {
    check = await checkBeforeResending(tx, refund, capture);
    return [];
  });
  return check;
}
