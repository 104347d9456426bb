import type { Context } from '../config/context.ts';
import { findConnection } from '../domain/accounts/connection/connection.ts';
import { recordListedRefunds } from '../domain/payments/facts/record-listed-refunds.ts';
import { recordRefund } from '../domain/payments/facts/record-refund.ts';
import { beginSending, recordNotSent } from '../domain/payments/facts/send-refund.ts';
import type { RefundFact } from '../domain/payments/refund/decision.ts';
import {
  findRefundedCapture,
  type RefundedCapture,
} from '../domain/payments/refund/find-capture.ts';
import type { RefundRow } from '../domain/payments/refund/row.ts';
import { isPastSending } from '../domain/payments/refund/schedule.ts';
import { markNotReached, writeAttention } from '../domain/payments/refund/store.ts';
import {
  type AskingContext,
  listRefundsOf,
} from '../domain/payments/refund-listing/find-refunds.ts';
import type { Provider } from '../domain/providers/port/provider.ts';
import {
  isDeferral,
  onlyProviderError,
  ProviderError,
} from '../domain/providers/port/provider-error.ts';
import type { RefundOrder } from '../domain/providers/port/refund.ts';
import {
  completed,
  eachRow,
  type JobHandler,
  type Outcome,
  retryOrSnooze,
  snooze,
} from './job-handler.ts';

/**
 * Sends an approved refund once, after recording what went back another way. That it is sent is
 * written before the call: one with unknown outcome is looked up, not sent again.
 */
export const executeRefund: JobHandler<RefundRow> = {
  queue: 'refund-execute',
  traceOf: ({ id, charge_id }) => ({ subject: id, links: [charge_id] }),
  handle: eachRow(execute),
};

async function execute(context: Context, refund: RefundRow): Promise<Outcome> {
  const capture = await findRefundedCapture({ sql: context.db }, refund);
  if (!capture)
    return notSent(context, refund, {
      type: 'refused',
      message: 'The charge holds no payment that could go back.',
    });
  const provider = context.providerOf(
    (await findConnection(context.db, capture.connection_id))!,
    'send',
  );
  const failure = await recordListed(context, provider, capture);
  if (failure) return notListed(context, refund, failure);
  const check = await checkOnce(context, refund, capture);
  switch (check.type) {
    case 'send':
      return send(context, refund, capture, provider);
    case 'over':
      return notSent(context, refund, {
        type: check.isReturned ? 'nothing left' : 'refused',
        message: check.message,
      });
    case 'wait':
      return wait(context, refund, check.reason);
    case 'claim lost':
      // The claim has ended or the status changed: the row already says when it is due.
      return completed();
  }
}

/** On a failure the refund simply waits: nothing was sent yet. */
export async function recordListed(
  context: Context,
  provider: Provider,
  capture: RefundedCapture,
): Promise<ProviderError | undefined> {
  const asking = askingContext(context, provider, capture);
  const listed = await listRefundsOf(asking, paymentOf(capture)).catch(onlyProviderError);
  if (listed instanceof ProviderError) return listed;
  const payment = {
    connectionId: capture.connection_id,
    providerPaymentId: capture.provider_payment_id,
  };
  await context.inTx((tx) => recordListedRefunds(tx, payment, listed));
  return undefined;
}

export function askingContext(
  { inTx, clock, timeouts }: Context,
  provider: Provider,
  { connection_id: connectionId }: RefundedCapture,
): AskingContext {
  const { verifyMs: timeoutMs, walkMs: totalMs } = timeouts;
  return { inTx, clock, provider, connectionId, timeoutMs, totalMs };
}

async function checkOnce(context: Context, refund: RefundRow, capture: RefundedCapture) {
  return context.inTx((tx) => {
    const untilAt = new Date(tx.now.getTime() + context.timeouts.createMs);
    return beginSending(tx, refund, capture, untilAt);
  });
}

/** After about two minutes a person is asked to look. */
const MAX_SILENT_TRIES = 5;

/** Nothing is sent before it is known what went back; where that lasts, a person is told why. */
async function notListed(context: Context, refund: RefundRow, failure: ProviderError) {
  if (!isDeferral(failure) && refund.tries - refund.snoozes > MAX_SILENT_TRIES) {
    const attention = `It is not sent, because the provider does not list what went back of the payment: ${failure.message}.`;
    await writeAttention({ sql: context.db }, refund, attention);
  }
  return (
    (await giveUpLate(context, refund, failure.message)) ??
    retryOrSnooze(refund, failure, context.clock())
  );
}

/** Waits for an hour: a bank that decides a dispute, or an Owner, has to act first. */
async function wait(context: Context, refund: RefundRow, reason: string): Promise<Outcome> {
  await writeAttention({ sql: context.db }, refund, reason);
  return (
    (await giveUpLate(context, refund, reason)) ??
    snooze(new Date(context.clock().getTime() + WAIT_MS), reason)
  );
}

const WAIT_MS = 3_600_000;

/** Undefined: not too late, it is tried again. */
async function giveUpLate(context: Context, refund: RefundRow, reason: string) {
  if (!isPastSending(refund.approved_at!, context.clock())) return undefined;
  const message = `It could not be sent for 7 days: ${reason}`;
  return notSent(context, refund, { type: 'refused', message });
}

async function notSent(
  { inTx }: Context,
  refund: RefundRow,
  fact: Parameters<typeof recordNotSent>[2],
): Promise<Outcome> {
  await inTx((tx) => recordNotSent(tx, refund, fact));
  return completed();
}

async function send(
  context: Context,
  refund: RefundRow,
  capture: RefundedCapture,
  provider: Provider,
): Promise<Outcome> {
  const answer = await sendRefund(context, refund, capture, provider);
  if (!(answer instanceof ProviderError)) return record(context, refund, answer);
  await context.inTx((tx) => markNotReached(tx, refund));
  return (
    (await giveUpLate(context, refund, answer.message)) ??
    retryOrSnooze(refund, answer, context.clock())
  );
}

/** Returns what the provider reports, or an error where it surely was not reached. */
export async function sendRefund(
  { timeouts }: Context,
  refund: RefundRow,
  capture: RefundedCapture,
  provider: Provider,
): Promise<RefundFact | ProviderError> {
  const order: RefundOrder = {
    ...paymentOf(capture),
    refundId: refund.id,
    amountKobo: refund.amount_kobo,
    reason: refund.reason,
  };
  const answer = await provider
    .refund(order, { timeoutMs: timeouts.createMs })
    .catch(onlyProviderError);
  if (!(answer instanceof ProviderError)) return { type: 'reported', refund: answer };
  switch (answer.kind) {
    case 'refused':
      return { type: 'refused', message: answer.message };
    case 'duplicate':
    case 'unknown':
      return {
        type: 'unclear',
        message: answer.message,
        sendsAgain: provider.capabilities.idempotentRefunds,
      };
    case 'retryable':
    case 'limited':
    case 'unavailable':
      return answer;
  }
}

export function paymentOf({
  provider_payment_id: providerPaymentId,
  reference,
  captured_at: capturedAt,
}: RefundedCapture) {
  return { providerPaymentId, reference, capturedAt };
}

async function record({ inTx }: Context, { id }: RefundRow, fact: RefundFact): Promise<Outcome> {
  await inTx((tx) => recordRefund(tx, id, fact));
  return completed();
}
