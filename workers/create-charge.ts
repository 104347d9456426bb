import type { Context } from '../config/context.ts';
import type { StoredConnection } from '../domain/accounts/connection/connection.ts';
import { usableConnections } from '../domain/payments/attempt/connections.ts';
import { isOver } from '../domain/payments/attempt/expire.ts';
import { type PassedOver, passOver } from '../domain/payments/attempt/pass-over.ts';
import { type AttemptNews, recordAttempt } from '../domain/payments/attempt/record-attempt.ts';
import type { AttemptRow } from '../domain/payments/attempt/row.ts';
import { isLongSilent } from '../domain/payments/attempt/schedule.ts';
import { askAttempt } from '../domain/payments/attempt/verify-attempt.ts';
import type { ChargeRow } from '../domain/payments/charge/row.ts';
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
  if (!(await markSent(work)))
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
      await unmarkSent(work);
      return elsewhereOrLater(work, payment);
    case 'duplicate':
    case 'unknown':
      return (await clearUp(work)) ?? retryOrSnooze(attempt, payment, context.clock());
  }
}

function mayHaveBeenSent(attempt: AttemptRow): boolean {
  return attempt.sent_at !== null;
}

/** A refusal says nothing of what was sent before it: that may have arrived, so the attempt stays watched. */
function refused(work: Work, message: string): Promise<Outcome> {
  return record(work, { type: mayHaveBeenSent(work.attempt) ? 'link lost' : 'refused', message });
}

/**
 * The last look before sending: the row is still this worker's, and will be for as long as the call may take, and the charge still waits
 * for its money. Its lock makes whoever cancels it at this moment see either that this was sent, or that it never will be.
 */
async function markSent({ context, attempt }: Work): Promise<boolean> {
  const now = context.clock();
  const rows = await context.db.query(
    `with charge as (
       select 1 from charges where id = $5 and status in ('initiated', 'pending') and cancel_requested_at is null for share
     )
     update attempts set sent_at = coalesce(sent_at, $3)
     where id = $1 and tries = $2 and status = 'sending' and due_at > $4 and exists (select from charge) returning 1`,
    [
      attempt.id,
      attempt.tries,
      now,
      new Date(now.getTime() + context.timeouts.createMs),
      attempt.charge_id,
    ],
  );
  return rows.length > 0;
}

/** What surely did not arrive was not sent, unless an earlier try may have: then that mark stands. */
async function unmarkSent({ context, attempt }: Work): Promise<void> {
  if (mayHaveBeenSent(attempt)) return;
  await context.db.query(
    `update attempts set sent_at = null where id = $1 and tries = $2 and status = 'sending'`,
    [attempt.id, attempt.tries],
  );
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
  const why = isResting(work) ? 'rests' : error.kind === 'retryable' ? 'away' : undefined;
  if (why && (await makeElsewhere(work, why))) return completed();
  return retryOrSnooze(work.attempt, error, work.context.clock());
}

/**
 * True when another connection makes the payment instead. What was never sent moves there. What may have been is given up only where its
 * connection rests, and after a long silence: its link never reached us, so no payer can have it, and it stays watched all the same.
 */
async function makeElsewhere(work: Work, why: PassedOver): Promise<boolean> {
  const { context, attempt, charge } = work;
  if (!mayHaveBeenSent(attempt)) {
    let hasMoved = false;
    await context.inTx(async (tx) => {
      const jobs = await passOver(tx, attempt, context.openBreakers(), why);
      hasMoved = jobs.length > 0;
      return jobs;
    });
    return hasMoved;
  }
  if (
    why !== 'rests' ||
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
  const verification = await askAttempt(
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

async function record({ context, attempt }: Work, news: AttemptNews): Promise<Outcome> {
  await context.inTx((tx) => recordAttempt(tx, attempt.id, news));
  return completed();
}
