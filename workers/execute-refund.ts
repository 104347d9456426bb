import type { Context } from '../config/context.ts';
import { findConnection } from '../domain/accounts/connection/connection.ts';
import { recordListedRefunds } from '../domain/payments/refund/adopt.ts';
import { type RefundNews, recordRefund } from '../domain/payments/refund/record.ts';
import type { RefundRow } from '../domain/payments/refund/row.ts';
import {
  findRefundedCapture,
  type LastLook,
  markSent,
  type RefundedCapture,
  unmarkSent,
} from '../domain/payments/refund/send.ts';
import {
  isDeferral,
  type Provider,
  ProviderError,
  type RefundOrder,
} from '../domain/providers/provider.ts';
import {
  completed,
  eachRow,
  type JobHandler,
  type Outcome,
  retry,
  retryOrSnooze,
} from './job-handler.ts';

/**
 * Sends an approved refund to the provider, once. What was sent back of the payment elsewhere is taken in first; that it is sent is
 * written before it is, and what was sent to no known end is only ever looked for.
 */
export const executeRefund: JobHandler<RefundRow> = {
  queue: 'refund-execute',
  handle: eachRow(execute),
};

async function execute(context: Context, refund: RefundRow): Promise<Outcome> {
  const capture = await findRefundedCapture({ sql: context.db }, refund);
  if (!capture)
    return record(context, refund, {
      type: 'refused',
      message: 'The charge holds no payment that could go back.',
    });
  const provider = context.providerOf((await findConnection(context.db, capture.connection_id))!);
  const failure = await takeInListed(context, provider, capture);
  if (failure) return notListed(context, refund, failure);
  const look = await lookOnce(context, refund, capture);
  switch (look.type) {
    case 'send':
      return send(context, refund, capture, provider);
    case 'over':
      return record(context, refund, {
        type: look.isGone ? 'gone' : 'refused',
        message: look.message,
      });
    case 'wait':
      return wait(context, refund, look.reason);
    case 'taken':
      return completed(); // held up for too long, or known at the provider already: the row says what is owed
  }
}

/** Takes in what went back of a payment elsewhere. Before anything is sent, so whatever goes wrong here is for later. */
export async function takeInListed(
  context: Context,
  provider: Provider,
  capture: RefundedCapture,
): Promise<ProviderError | undefined> {
  const listed = await provider
    .listRefunds(paymentOf(capture), { timeoutMs: context.timeouts.verifyMs })
    .catch(onlyProviderError);
  if (listed instanceof ProviderError) return listed;
  const payment = {
    connectionId: capture.connection_id,
    providerPaymentId: capture.provider_payment_id,
  };
  await context.inTx((tx) => recordListedRefunds(tx, payment, listed));
  return undefined;
}

async function lookOnce(
  context: Context,
  refund: RefundRow,
  capture: RefundedCapture,
): Promise<LastLook> {
  let look: LastLook = { type: 'taken' };
  await context.inTx(async (tx) => {
    look = await markSent(
      tx,
      refund,
      capture,
      new Date(tx.now.getTime() + context.timeouts.createMs),
    );
    return [];
  });
  return look;
}

/** Tries after which a person hears that a refund does not get on: some two minutes. */
const PATIENT_TRIES = 5;

/** Without knowing what went back already nothing is sent. Where that lasts, it may never be known by itself: a list can be too long to read. */
async function notListed(
  context: Context,
  refund: RefundRow,
  failure: ProviderError,
): Promise<Outcome> {
  if (!isDeferral(failure) && refund.tries - refund.snoozes > PATIENT_TRIES) {
    const attention = `It is not sent, for the provider does not say what went back of the payment already: ${failure.message}.`;
    await context.db.query(
      'update refunds set attention = $3 where id = $1 and tries = $2 and sent_at is null',
      [refund.id, refund.tries, attention],
    );
  }
  return retryOrSnooze(refund, failure, context.clock());
}

/** Somebody else has to act first: a bank that decides a dispute, an Owner who enables a connection. */
async function wait(context: Context, refund: RefundRow, reason: string): Promise<Outcome> {
  await context.db.query(
    'update refunds set attention = $3 where id = $1 and tries = $2 and sent_at is null',
    [refund.id, refund.tries, reason],
  );
  return retry(new Date(context.clock().getTime() + WAIT_MS), reason);
}

const WAIT_MS = 3_600_000;

async function send(
  context: Context,
  refund: RefundRow,
  capture: RefundedCapture,
  provider: Provider,
): Promise<Outcome> {
  const answer = await sendRefund(context, refund, capture, provider);
  if (!(answer instanceof ProviderError)) return record(context, refund, answer);
  await unmarkSent({ sql: context.db }, refund);
  return retryOrSnooze(refund, answer, context.clock());
}

/** Asks the provider to send the money back, and says what is known then. An error: it surely was not reached. */
export async function sendRefund(
  { timeouts }: Context,
  refund: RefundRow,
  capture: RefundedCapture,
  provider: Provider,
): Promise<RefundNews | ProviderError> {
  const order: RefundOrder = {
    ...paymentOf(capture),
    refundId: refund.id,
    amountKobo: refund.amount_kobo,
    reason: refund.reason,
  };
  const answer = await provider
    .refund(order, { timeoutMs: timeouts.createMs })
    .catch(onlyProviderError);
  if (!(answer instanceof ProviderError)) return { type: 'stated', refund: answer };
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

/** The payment as its provider finds it. */
export function paymentOf({
  provider_payment_id: providerPaymentId,
  reference,
  captured_at: capturedAt,
}: RefundedCapture) {
  return { providerPaymentId, reference, capturedAt };
}

export function onlyProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  throw error;
}

async function record({ inTx }: Context, { id }: RefundRow, news: RefundNews): Promise<Outcome> {
  await inTx((tx) => recordRefund(tx, id, news));
  return completed();
}
