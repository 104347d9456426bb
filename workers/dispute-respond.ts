import type { Context } from '../config/context.ts';
import { findConnection } from '../domain/accounts/connection/connection.ts';
import {
  ACCEPTED,
  hasArrived,
  nextStep,
  type ResponseStep,
  refusedWith,
  retryOrGiveUp,
  type Standing,
} from '../domain/payments/dispute-response/decide.ts';
import {
  type AnsweredDispute,
  contentOf,
  fileOf,
  findAnswered,
} from '../domain/payments/dispute-response/find.ts';
import type { DisputeResponseRow } from '../domain/payments/dispute-response/row.ts';
import {
  markResponseNotReached,
  markResponseSending,
} from '../domain/payments/dispute-response/store.ts';
import { knownEmail } from '../domain/payments/entities/charge.ts';
import { askDisputes } from '../domain/payments/facts/ask-about-disputes.ts';
import { recordResponse } from '../domain/payments/facts/record-response.ts';
import type { DisputeResponse } from '../domain/providers/port/dispute.ts';
import type { Provider } from '../domain/providers/port/provider.ts';
import { onlyProviderError, ProviderError } from '../domain/providers/port/provider-error.ts';
import { completed, eachRow, type JobHandler, type Outcome, retryOrSnooze } from './job-handler.ts';

/**
 * Sends what a merchant says to a dispute, once: the dispute is looked up before, and says whether
 * one whose outcome is unknown has arrived.
 */
export const respondToDispute: JobHandler<DisputeResponseRow> = {
  queue: 'dispute-respond',
  traceOf: ({ id, charge_id }) => ({ subject: id, links: [charge_id] }),
  handle: eachRow(respond),
};

async function respond(context: Context, response: DisputeResponseRow): Promise<Outcome> {
  const { db, clock } = context;
  const dispute = await findAnswered(db, response.dispute_id);
  const connection = (await findConnection(db, response.connection_id))!;
  const answering = { response, dispute, provider: context.providerOf(connection, 'send') };
  const standing = await lookUp(context, answering);
  if (standing instanceof ProviderError) return later(context, response, standing);
  const step = nextStep(response, standing, clock());
  if (step.type !== 'send') return take(context, response, step);
  const content = contentOf(context.vault, response);
  if (!content) return take(context, response, refusedWith('What it said was erased.'));
  if (!(await context.inTx((tx) => markResponseSending(tx, response)))) return completed();
  const order: DisputeResponse = {
    ...{ providerDisputeId: dispute.provider_dispute_id, kind: response.kind },
    ...{ amountKobo: dispute.amount_kobo, details: content.details },
    file: fileOf(context.vault, response),
    customer: {
      email: content.customer_email ?? knownEmail(dispute.email),
      name: content.customer_name ?? dispute.name,
      phone: content.customer_phone ?? dispute.phone,
    },
    delivery: {
      address: content.delivery_address ?? null,
      date: content.delivery_date ?? null,
    },
  };
  return send(context, answering, order);
}

interface Answering {
  response: DisputeResponseRow;
  dispute: AnsweredDispute;
  provider: Provider;
}

/** What it is told of the payment's disputes is recorded. */
async function lookUp(
  { inTx, timeouts }: Context,
  { response, dispute, provider }: Answering,
): Promise<Standing | ProviderError> {
  const listed = await askDisputes(
    { inTx, provider, connectionId: response.connection_id },
    {
      providerPaymentId: dispute.provider_payment_id,
      reference: dispute.reference,
      capturedAt: dispute.captured_at,
    },
    { timeoutMs: timeouts.verifyMs, totalMs: timeouts.walkMs },
  );
  if (listed instanceof ProviderError) return listed;
  const found = listed.find((each) => each.providerDisputeId === dispute.provider_dispute_id);
  if (!found) return 'not shown';
  if (found.awaitsResponse === true) return 'awaits response';
  return found.state === 'lost' ? 'lost' : 'answered';
}

async function send(
  context: Context,
  answering: Answering,
  order: DisputeResponse,
): Promise<Outcome> {
  const { response, provider } = answering;
  const { createMs: timeoutMs, walkMs: totalMs } = context.timeouts;
  const answer = await provider
    .respondToDispute(order, { timeoutMs, totalMs })
    .catch(onlyProviderError);
  if (!(answer instanceof ProviderError)) return take(context, response, ACCEPTED);
  switch (answer.kind) {
    case 'refused':
    case 'duplicate':
      return refused(context, answering, answer);
    case 'unknown':
      return later(context, response, answer);
    case 'retryable':
    case 'limited':
    case 'unavailable':
      if (response.status === 'waiting')
        await context.inTx((tx) => markResponseNotReached(tx, response));
      return later(context, response, answer);
  }
}

/** One sent before may be the reason for the refusal: then it has arrived. */
async function refused(
  context: Context,
  answering: Answering,
  { message }: ProviderError,
): Promise<Outcome> {
  const { response } = answering;
  const standing =
    response.status === 'sending' ? await lookUp(context, answering) : 'awaits response';
  if (standing instanceof ProviderError) return later(context, response, standing);
  return take(context, response, hasArrived(response, standing) ? ACCEPTED : refusedWith(message));
}

async function later(
  context: Context,
  response: DisputeResponseRow,
  error: ProviderError,
): Promise<Outcome> {
  const now = context.clock();
  const step = retryOrGiveUp(response, error.message, now);
  return step.type === 'retry'
    ? retryOrSnooze(response, error, now)
    : take(context, response, step);
}

async function take(
  context: Context,
  response: DisputeResponseRow,
  step: ResponseStep,
): Promise<Outcome> {
  if (step.type === 'retry') {
    const error = { kind: 'unknown', message: step.reason, retryAfterMs: null } as const;
    return retryOrSnooze(response, error, context.clock());
  }
  await context.inTx((tx) => recordResponse(tx, response, step));
  return completed();
}
