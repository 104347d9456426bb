import type { Context } from '../config/context.ts';
import { findConnection } from '../domain/accounts/connection/connection.ts';
import { type RefundNews, recordRefund } from '../domain/payments/refund/record.ts';
import type { RefundRow } from '../domain/payments/refund/row.ts';
import {
  findRefundedCapture,
  type LastLook,
  lookAgain,
  type RefundedCapture,
} from '../domain/payments/refund/send.ts';
import { type Provider, ProviderError } from '../domain/providers/provider.ts';
import { onlyProviderError, paymentOf, sendRefund, takeInListed } from './execute-refund.ts';
import { completed, eachRow, type JobHandler, type Outcome } from './job-handler.ts';

/** Asks the provider what became of a refund that was sent. */
export const checkRefund: JobHandler<RefundRow> = { queue: 'refund-check', handle: eachRow(check) };

async function check(context: Context, refund: RefundRow): Promise<Outcome> {
  const news = await ask(context, refund);
  if (!news) return completed(); // known at the provider meanwhile: the row says what is owed
  await context.inTx((tx) => recordRefund(tx, refund.id, news));
  return completed();
}

/**
 * One the provider does not know and never acknowledged may not have arrived: it is sent again only where the provider pays one id
 * once. One that was acknowledged and is not known any more is a person's to look at.
 */
async function ask(context: Context, refund: RefundRow): Promise<RefundNews | undefined> {
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
  if (found instanceof ProviderError) return { type: 'silent' };
  if (found) return { type: 'stated', refund: found };
  if (
    refund.accepted_at === null &&
    provider.capabilities.idempotentRefunds &&
    !capture.is_disabled
  )
    return sendAgain(context, refund, capture, provider);
  return { type: 'unclear', message: 'The provider shows no such refund', sendsAgain: false };
}

/** Its money may have gone back elsewhere meanwhile, or be in dispute, which is looked at first, as before the first sending. */
async function sendAgain(
  context: Context,
  refund: RefundRow,
  capture: RefundedCapture,
  provider: Provider,
): Promise<RefundNews | undefined> {
  if (await takeInListed(context, provider, capture)) return { type: 'silent' };
  const look = await lookOnce(context, refund, capture);
  if (look.type === 'taken') return undefined;
  if (look.type === 'wait') return { type: 'held', reason: look.reason };
  if (look.type === 'over')
    return { type: look.isGone ? 'gone' : 'refused', message: look.message };
  const news = await sendRefund(context, refund, capture, provider);
  if (news instanceof ProviderError) return { type: 'silent' };
  // The first one may be on its way still, and be the very reason for this no.
  const isEarly = context.clock().getTime() - refund.sent_at!.getTime() < LATE_MS;
  return news.type === 'refused' && isEarly
    ? { type: 'unclear', message: news.message, sendsAgain: true }
    : news;
}

/** By then the provider shows what it took. */
const LATE_MS = 5 * 60_000;

async function lookOnce(
  { inTx }: Context,
  refund: RefundRow,
  capture: RefundedCapture,
): Promise<LastLook> {
  let look: LastLook = { type: 'taken' };
  await inTx(async (tx) => {
    look = await lookAgain(tx, refund, capture);
    return [];
  });
  return look;
}
