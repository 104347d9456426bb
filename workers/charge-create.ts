import type { Context } from '../config/context.ts';
import { askAboutAttempt } from '../domain/payments/ask-about-attempt.ts';
import { usableConnections } from '../domain/payments/attempt/connections.ts';
import type { AttemptNotice } from '../domain/payments/attempt/decide.ts';
import type { AttemptRow } from '../domain/payments/attempt/row.ts';
import { isLongSilent } from '../domain/payments/attempt/schedule.ts';
import { markNotReached, markSending, markUnconfirmed } from '../domain/payments/attempt/store.ts';
import { isOver } from '../domain/payments/charge/ending.ts';
import { findWithConnection } from '../domain/payments/charge/find.ts';
import type { ChargeRow } from '../domain/payments/charge/row.ts';
import { recordAttempt } from '../domain/payments/record-attempt.ts';
import { type SkipReason, switchConnection } from '../domain/payments/switch-connection.ts';
import { type HostedPayment, type Provider, ProviderError } from '../domain/providers/provider.ts';
import { checkoutIdOf } from '../domain/shared/ids.ts';
import {
  completed,
  eachRow,
  type JobHandler,
  type Outcome,
  retry,
  retryOrSnooze,
} from './job-handler.ts';

/**
 * Asks the provider to make the hosted payment of an attempt. No reference is sent again once the
 * provider accepted it: what may have been sent before is asked about first. Where a charge may
 * choose, a connection is skipped whose breaker is open or that cannot be reached.
 */
export const createCharge: JobHandler<AttemptRow> = {
  queue: 'charge-create',
  handle: eachRow(create),
};

interface Work {
  context: Context;
  attempt: AttemptRow;
  charge: ChargeRow;
  provider: Provider;
  /** The charge takes no more payments: nothing new is sent for it. */
  isOver: boolean;
  /** The connection may not be used any more. */
  isDisabled: boolean;
}

async function create(context: Context, attempt: AttemptRow): Promise<Outcome> {
  const work = await load(context, attempt);
  return (mayHaveBeenSent(attempt) && (await resolveOutcome(work))) || send(work);
}

async function load(context: Context, attempt: AttemptRow): Promise<Work> {
  const charge = await findWithConnection(context.db, attempt);
  const isDisabled = charge.connection.disabled_at !== null;
  return {
    context,
    attempt,
    charge,
    provider: context.providerOf(charge.connection),
    isOver: isOver(charge, context.clock()),
    isDisabled,
  };
}

async function send(work: Work): Promise<Outcome> {
  const { context, attempt } = work;
  if (work.isOver)
    return record(work, {
      type: 'ended',
      message: 'The charge was over before the payment was made at the provider.',
    });
  if (work.isDisabled) return refused(work, 'The connection to the provider was disabled.');
  await tryHalfOpen(work);
  if (isBreakerOpen(work)) return switchOrRetry(work, BREAKER_OPEN);
  if (!(await beginSending(work)))
    return retry(
      context.clock(),
      'not sent: the claim is about to end, or the charge was cancelled meanwhile',
    );
  const payment = await callCreate(work);
  if (!(payment instanceof ProviderError)) return record(work, { type: 'accepted', ...payment });
  switch (payment.kind) {
    case 'refused':
      return refused(work, payment.message);
    case 'retryable':
    case 'limited':
    case 'unavailable':
      await markNotReached(context.db, attempt);
      return switchOrRetry(work, payment);
    case 'duplicate':
    case 'unknown':
      return (await resolveOutcome(work)) ?? retryOrSnooze(attempt, payment, context.clock());
  }
}

function mayHaveBeenSent(attempt: AttemptRow): boolean {
  return attempt.status !== 'queued';
}

/**
 * A refusal does not say what became of what was sent before it: that may have arrived, so the
 * attempt stays watched.
 */
function refused(work: Work, message: string): Promise<Outcome> {
  return record(work, { type: mayHaveBeenSent(work.attempt) ? 'link lost' : 'refused', message });
}

/** Marks that it is being sent; false where it must not be. */
function beginSending({ context, attempt }: Work): Promise<boolean> {
  const now = context.clock();
  const untilAt = new Date(now.getTime() + context.timeouts.createMs);
  return markSending(context.db, attempt, now, untilAt);
}

function isBreakerOpen({ context, attempt }: Work): boolean {
  return context.openBreakers().includes(attempt.connection_id);
}

/**
 * While the breaker is half-open, the connection is tried by a call that changes nothing: no
 * payer's payment should be what shows that the provider still fails.
 */
async function tryHalfOpen({ context, attempt, provider }: Work): Promise<void> {
  if (!context.isHalfOpen(attempt.connection_id)) return;
  await provider
    .checkCredentials({ timeoutMs: context.timeouts.credentialsMs })
    .catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
    });
}

const BREAKER_OPEN = {
  kind: 'unavailable',
  message: 'nothing was sent: the breaker of the connection is open',
  retryAfterMs: null,
} as const;

/**
 * Where the breaker of its connection is open, or the provider was not reached, the payment is made
 * at another connection, if there is one; else it is retried.
 */
async function switchOrRetry(
  work: Work,
  error: Parameters<typeof retryOrSnooze>[1],
): Promise<Outcome> {
  const why = isBreakerOpen(work)
    ? 'breaker open'
    : error.kind === 'retryable'
      ? 'not reached'
      : undefined;
  if (why && (await makeAtOther(work, why))) return completed();
  return retryOrSnooze(work.attempt, error, work.context.clock());
}

/**
 * True when another connection makes the payment instead. What was never sent moves there. What may
 * have been sent is given up only where the breaker is open, and after a long silence: its link
 * never reached us, so no payer can have it, and it stays watched all the same.
 */
async function makeAtOther(work: Work, why: SkipReason): Promise<boolean> {
  const { context, attempt, charge } = work;
  if (!mayHaveBeenSent(attempt)) {
    let hasMoved = false;
    await context.inTx(async (tx) => {
      const jobs = await switchConnection(tx, attempt, context.openBreakers(), why);
      hasMoved = jobs.length > 0;
      return jobs;
    });
    return hasMoved;
  }
  if (
    why !== 'breaker open' ||
    charge.provider_wanted !== 'auto' ||
    work.isOver ||
    !isLongSilent(attempt.sent_at!, context.clock())
  )
    return false;
  const open = context.openBreakers();
  const usable = await usableConnections(context.db, charge.id);
  if (usable.every(({ id }) => open.includes(id))) return false;
  await record(work, {
    type: 'link lost',
    message: 'The provider has not said for long whether it holds this payment.',
  });
  return true;
}

async function callCreate({
  context,
  attempt,
  charge,
  provider,
}: Work): Promise<HostedPayment | ProviderError> {
  const order = {
    reference: attempt.reference,
    amountKobo: charge.amount_kobo,
    currency: charge.currency,
    email: charge.email,
    name: charge.name,
    phone: charge.phone,
    description: charge.description,
    callbackUrl: `${context.env.publicUrl}/pay/${checkoutIdOf(charge.id)}?returned=1`,
    expiresInMs: charge.expires_at.getTime() - context.clock().getTime(),
  };
  return provider
    .create(order, { timeoutMs: context.timeouts.createMs })
    .catch((error: unknown) => {
      if (error instanceof ProviderError) return error;
      throw error;
    });
}

/**
 * Asks what became of a reference that may have been sent. Undefined: the provider does not know it
 * and it may be sent. Where it is known, or cannot be sent again, its link is lost: the attempt
 * stays watched and another one replaces it.
 */
async function resolveOutcome(work: Work): Promise<Outcome | undefined> {
  const { context, attempt, provider } = work;
  await markUnconfirmed(context.db, attempt);
  const verification = await askAboutAttempt(
    { inTx: context.inTx, clock: context.clock, provider },
    attempt,
    context.timeouts.verifyMs,
  );
  if (verification instanceof ProviderError) return switchOrRetry(work, verification);
  if (verification.state === 'absent' && provider.capabilities.rejectsDuplicateReferences)
    return undefined;
  return record(work, {
    type: 'link lost',
    message: 'The provider may hold this payment, but its link did not reach us.',
  });
}

async function record({ context, attempt }: Work, notice: AttemptNotice): Promise<Outcome> {
  await context.inTx((tx) => recordAttempt(tx, attempt.id, notice));
  return completed();
}
