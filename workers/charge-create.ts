import type { Context } from '../config/context.ts';
import { askTimesOfCreate } from '../domain/jobs.ts';
import {
  type CallableConnection,
  usableConnections,
} from '../domain/payments/attempt/connections.ts';
import type { AttemptFact } from '../domain/payments/attempt/decide.ts';
import { isLongLimited, isLongSilent } from '../domain/payments/attempt/schedule.ts';
import { markNotReached, markUnconfirmed } from '../domain/payments/attempt/store.ts';
import {
  type AttemptToCreate,
  type ChargeToCreate,
  chargeOf,
  SELECT_ATTEMPTS_TO_CREATE,
} from '../domain/payments/attempt/to-create.ts';
import { isOver } from '../domain/payments/charge/ending.ts';
import { askAboutAttempt } from '../domain/payments/facts/ask-about-attempt.ts';
import { type SkipReason, switchConnection } from '../domain/payments/facts/switch-connection.ts';
import type { Priority } from '../domain/providers/port/budget.ts';
import type { Provider } from '../domain/providers/port/provider.ts';
import { onlyProviderError, ProviderError } from '../domain/providers/port/provider-error.ts';
import { checkoutIdOf } from '../domain/shared/ids.ts';
import { nextSnoozeAt } from '../domain/shared/retry.ts';
import {
  completed,
  eachRow,
  type JobHandler,
  type Outcome,
  retry,
  retryOrSnooze,
} from './job-handler.ts';

/**
 * Asks the provider for an attempt's hosted payment. A reference that may have been sent is
 * verified first, and one that was accepted is never sent again. A charge with provider `auto`
 * skips a connection that is open, limited for long, or not reached.
 */
export const createCharge: JobHandler<AttemptToCreate> = {
  queue: 'charge-create',
  select: SELECT_ATTEMPTS_TO_CREATE,
  traceOf: ({ charge_id }) => ({ subject: charge_id }),
  handle: eachRow(create),
};

interface Creation {
  context: Context;
  attempt: AttemptToCreate;
  charge: ChargeToCreate;
  provider: Provider;
  /** The charge can no longer be paid: nothing new is sent for it. */
  isOver: boolean;
  isDisabled: boolean;
}

async function create(context: Context, attempt: AttemptToCreate): Promise<Outcome> {
  const creation = creationOf(context, attempt);
  return (mayHaveBeenSent(attempt) && (await resolveOutcome(creation))) || send(creation);
}

function creationOf(context: Context, attempt: AttemptToCreate): Creation {
  const charge = chargeOf(attempt);
  const { connection } = attempt;
  return {
    context,
    attempt,
    charge,
    provider: context.providerOf(connection, priorityOf(charge)),
    isOver: isOver(charge, context.clock()),
    isDisabled: connection.disabled_at !== null,
  };
}

/** Calls that anybody with a public key or a link may cause have their own budget. */
function priorityOf({ created_by: createdBy }: ChargeToCreate): Priority {
  return createdBy === 'public' || createdBy === 'link' ? 'public' : 'send';
}

async function send(creation: Creation): Promise<Outcome> {
  const { context, attempt } = creation;
  if (creation.isOver)
    return record(creation, {
      type: 'ended',
      message: 'The charge ended before the payment was created at the provider.',
    });
  if (creation.isDisabled) return refused(creation, 'The connection to the provider was disabled.');
  const pauseMs = context.createPauseMs(attempt.connection);
  if (pauseMs !== null) return switchOrRetry(creation, pausedFor(pauseMs));
  await tryHalfOpen(creation);
  if (isBreakerOpen(creation)) return switchOrRetry(creation, BREAKER_OPEN);
  if (!(await beginSending(creation)))
    return retry(
      context.clock(),
      'not sent: the claim is about to end, or the charge was cancelled meanwhile',
    );
  const payment = await callCreate(creation);
  if (!(payment instanceof ProviderError))
    return record(creation, { type: 'accepted', ...payment });
  switch (payment.kind) {
    case 'refused':
      return refused(creation, payment.message);
    case 'retryable':
    case 'limited':
    case 'unavailable':
      await markNotReached(context.db, attempt);
      return switchOrRetry(creation, payment);
    case 'duplicate':
    case 'unknown':
      return (await resolveOutcome(creation)) ?? retryOrSnooze(attempt, payment, context.clock());
  }
}

function mayHaveBeenSent(attempt: AttemptToCreate): boolean {
  return attempt.status !== 'queued';
}

/** Says nothing of a request sent before, which may have arrived: that attempt stays watched. */
function refused(creation: Creation, message: string): Promise<Outcome> {
  return record(creation, {
    type: mayHaveBeenSent(creation.attempt) ? 'link lost' : 'refused',
    message,
  });
}

/** False: it must not be sent. */
function beginSending({ context, attempt }: Creation): Promise<boolean> {
  const untilAt = new Date(context.clock().getTime() + context.timeouts.createMs);
  return context.markSending(attempt, untilAt);
}

function isBreakerOpen({ context, attempt }: Creation): boolean {
  return context.openBreakers().includes(attempt.connection_id);
}

/** Tries a half-open connection with a call that changes nothing, not with a payer's payment. */
async function tryHalfOpen({ context, attempt, provider }: Creation): Promise<void> {
  if (!context.isHalfOpen(attempt.connection_id)) return;
  await provider
    .checkCredentials({ timeoutMs: context.timeouts.credentialsMs })
    .catch(onlyProviderError);
}

const BREAKER_OPEN = {
  kind: 'unavailable',
  message: 'nothing was sent: the breaker of the connection is open',
  retryAfterMs: null,
} as const;

const pausedFor = (retryAfterMs: number): CallError => ({
  kind: 'limited',
  message: 'nothing was sent: the provider takes no more calls for now',
  retryAfterMs,
});

type CallError = Parameters<typeof retryOrSnooze>[1];

async function switchOrRetry(creation: Creation, error: CallError): Promise<Outcome> {
  const { context, attempt } = creation;
  const why = skipReason(creation, error);
  if (why && (await makeAtOther(creation, why))) return completed();
  const { kind, message } = error;
  const retryAfterMs =
    why && kind === 'limited' ? await untilCreateMs(creation, error) : error.retryAfterMs;
  return retryOrSnooze(attempt, { kind, message, retryAfterMs }, context.clock());
}

function skipReason(creation: Creation, error: CallError): SkipReason | undefined {
  if (isBreakerOpen(creation)) return 'breaker open';
  if (isLongLimited(limitedMs(creation, error))) return 'calls limited';
  return error.kind === 'retryable' ? 'not reached' : undefined;
}

/** As the provider said, or after a 429 without a time until the next try. Null: not limited. */
function limitedMs({ context, attempt }: Creation, error: CallError): number | null {
  const pauseMs = context.createPauseMs(attempt.connection);
  if (pauseMs !== null || error.kind !== 'limited' || error.retryAfterMs !== null) return pauseMs;
  const now = context.clock();
  return nextSnoozeAt(attempt.snoozes, null, now).getTime() - now.getTime();
}

/** The wait until the first of the charge's providers, or an uncertain attempt's own, is free. */
async function untilCreateMs({ context, attempt, charge }: Creation, { retryAfterMs }: CallError) {
  if (mayHaveBeenSent(attempt)) return retryAfterMs;
  const usable = await usableConnections(context.db, charge.id);
  return Math.min(
    retryAfterMs ?? 0,
    ...usable.map((connection) => context.createPauseMs(connection) ?? 0),
  );
}

/**
 * True when another connection creates the payment. An attempt that may have been sent is replaced
 * only while the breaker is open and after a long silence: no payer has its link. It stays watched.
 */
async function makeAtOther(creation: Creation, why: SkipReason): Promise<boolean> {
  const { context, attempt, charge } = creation;
  if (!mayHaveBeenSent(attempt))
    return context.inTx((tx) => switchConnection(tx, attempt, isSkipped(context), why));
  if (
    why !== 'breaker open' ||
    charge.provider_wanted !== 'auto' ||
    creation.isOver ||
    !isLongSilent(attempt.sent_at!, context.clock())
  )
    return false;
  const usable = await usableConnections(context.db, charge.id);
  if (usable.every(isSkipped(context))) return false;
  await record(creation, {
    type: 'link lost',
    message: 'The provider has not said for a long time whether it has this payment.',
  });
  return true;
}

function isSkipped(context: Context): (connection: CallableConnection) => boolean {
  const open = context.openBreakers();
  return (connection) =>
    open.includes(connection.id) || isLongLimited(context.createPauseMs(connection));
}

async function callCreate({ context, attempt, charge, provider }: Creation) {
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
    // A payer who tries again decides alone.
    testScenario: charge.retrying ? null : charge.test_scenario,
  };
  return provider.create(order, { timeoutMs: context.timeouts.createMs }).catch(onlyProviderError);
}

/** Undefined: the provider does not know the reference. Else its link is lost: it is replaced. */
async function resolveOutcome(creation: Creation): Promise<Outcome | undefined> {
  const { context, attempt, provider } = creation;
  await markUnconfirmed(context.db, attempt);
  const verification = await askAboutAttempt(
    { ...context, provider },
    attempt,
    askTimesOfCreate(context.timeouts),
  );
  if (verification instanceof ProviderError) return switchOrRetry(creation, verification);
  if (verification.state === 'absent' && provider.capabilities.rejectsDuplicateReferences)
    return undefined;
  return record(creation, {
    type: 'link lost',
    message: 'The provider may have this payment, but its link did not reach us.',
  });
}

async function record({ context, attempt }: Creation, fact: AttemptFact): Promise<Outcome> {
  await context.recordFact({ attemptId: attempt.id, fact });
  return completed();
}
