import type { Context } from '../config/context.ts';
import type { StoredConnection } from '../domain/accounts/connection/connection.ts';
import { askAboutAttempt } from '../domain/payments/ask-about-attempt.ts';
import { usableConnections } from '../domain/payments/attempt/connections.ts';
import type { AttemptNotice } from '../domain/payments/attempt/decide.ts';
import type { AttemptRow } from '../domain/payments/attempt/row.ts';
import { isLongSilent } from '../domain/payments/attempt/schedule.ts';
import { markNotReached, markSending, markUnconfirmed } from '../domain/payments/attempt/store.ts';
import { isOver } from '../domain/payments/charge/ending.ts';
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
 * Asks the provider to make the hosted payment an attempt promises. No reference is sent again once the provider accepted it: whatever
 * may have been sent before is asked about first. Where a charge may choose, a connection that rests or cannot be reached is passed over.
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
  return (mayHaveBeenSent(attempt) && (await clearUp(work))) || send(work);
}

async function load(context: Context, attempt: AttemptRow): Promise<Work> {
  const [row] = await context.db.query<ChargeRow & { connection: StoredConnection }>(
    'select charges.*, row_to_json(connections) as connection from charges, connections where charges.id = $1 and connections.id = $2',
    [attempt.charge_id, attempt.connection_id],
  );
  const charge = row!;
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
  await tryFirst(work);
  if (isResting(work)) return elsewhereOrLater(work, AT_REST);
  if (!(await beginSending(work)))
    return retry(
      context.clock(),
      'not sent: held up for too long, or the charge was cancelled meanwhile',
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
      return elsewhereOrLater(work, payment);
    case 'duplicate':
    case 'unknown':
      return (await clearUp(work)) ?? retryOrSnooze(attempt, payment, context.clock());
  }
}

function mayHaveBeenSent(attempt: AttemptRow): boolean {
  return attempt.status !== 'queued';
}

/** A refusal says nothing of what was sent before it: that may have arrived, so the attempt stays watched. */
function refused(work: Work, message: string): Promise<Outcome> {
  return record(work, { type: mayHaveBeenSent(work.attempt) ? 'link lost' : 'refused', message });
}

/** Marks that it is being sent; false where it must not be. */
function beginSending({ context, attempt }: Work): Promise<boolean> {
  const now = context.clock();
  const untilAt = new Date(now.getTime() + context.timeouts.createMs);
  return markSending(context.db, attempt, now, untilAt);
}

function isResting({ context, attempt }: Work): boolean {
  return context.openBreakers().includes(attempt.connection_id);
}

/** A connection that rested is tried by a call that harms nothing: a payer's payment must not be what finds out that it is still ill. */
async function tryFirst({ context, attempt, provider }: Work): Promise<void> {
  if (!context.isHalfOpen(attempt.connection_id)) return;
  await provider
    .checkCredentials({ timeoutMs: context.timeouts.credentialsMs })
    .catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
    });
}

const AT_REST = {
  kind: 'unavailable',
  message: 'nothing was sent: the connection rests after failures',
  retryAfterMs: null,
} as const;

/** Where its connection rests, or surely got nothing, the payment is made at another one, if there is one; else it waits. */
async function elsewhereOrLater(
  work: Work,
  error: Parameters<typeof retryOrSnooze>[1],
): Promise<Outcome> {
  const why = isResting(work)
    ? 'breaker open'
    : error.kind === 'retryable'
      ? 'not reached'
      : undefined;
  if (why && (await makeElsewhere(work, why))) return completed();
  return retryOrSnooze(work.attempt, error, work.context.clock());
}

/**
 * True when another connection makes the payment instead. What was never sent moves there. What may have been is given up only where its
 * connection rests, and after a long silence: its link never reached us, so no payer can have it, and it stays watched all the same.
 */
async function makeElsewhere(work: Work, why: SkipReason): Promise<boolean> {
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
  const resting = context.openBreakers();
  if (!(await usableConnections(context.db, charge.id)).some(({ id }) => !resting.includes(id)))
    return false;
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
 * Finds out what became of a reference that may have been sent. Undefined: the provider does not know it and it may be sent. Where it
 * is known, or cannot be sent again, its link is lost: the attempt stays watched and another takes its place.
 */
async function clearUp(work: Work): Promise<Outcome | undefined> {
  const { context, attempt, provider } = work;
  await markUnconfirmed(context.db, attempt);
  const verification = await askAboutAttempt(
    { inTx: context.inTx, clock: context.clock, provider },
    attempt,
    context.timeouts.verifyMs,
  );
  if (verification instanceof ProviderError) return elsewhereOrLater(work, verification);
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
