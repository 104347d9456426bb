import type { Context } from '../config/context.ts';
import type { StoredConnection } from '../domain/accounts/connection/connection.ts';
import { askTimes, VERIFYING_MS } from '../domain/jobs.ts';
import { paymentsOfAttempt } from '../domain/payments/capture/find.ts';
import { type AskedAttempt, askAboutAttempt } from '../domain/payments/facts/ask-about-attempt.ts';
import { askDisputes } from '../domain/payments/facts/ask-about-disputes.ts';
import {
  arrivalOf,
  type Finish,
  finishNotification,
  finishWith,
  type NotificationRow,
  SELECT_NOTIFICATIONS,
} from '../domain/payments/notification/finish.ts';
import { openBody, REPEAT_AFTER_MS } from '../domain/payments/notification/store.ts';
import {
  type About,
  claimVerification,
  MAX_PER_CLAIM,
  type NamedAttempt,
  recordAnswer,
} from '../domain/payments/notification/verifications.ts';
import type { Provider } from '../domain/providers/port/provider.ts';
import { isDeferral, ProviderError } from '../domain/providers/port/provider-error.ts';
import { recordSettlementNotification } from '../domain/settlements/settlement/record-statement.ts';
import { timeLeft } from '../domain/shared/time-left.ts';
import { DAY_MS } from '../domain/shared/units.ts';
import {
  completed,
  eachRow,
  type JobHandler,
  type Outcome,
  retry,
  retryOrSnooze,
  snooze,
} from './job-handler.ts';

const MAX_QUICK_TRIES = 15;
/** Later tries wait half as long as the notification has waited, within these bounds. */
const LATER_MS = { min: 3_600_000, max: DAY_MS };
type PaymentNotification = Omit<NotificationRow, 'about'> & { about: About };

/**
 * Verifies the payments that a notification names. Only the provider's answer becomes a fact:
 * whoever forges notifications (Flutterwave's hash does not cover their content) forges none.
 *
 * An attempt is verified at most every two seconds; over that a notification is snoozed. None is
 * lost: it ends only after a verification that began after it arrived.
 */
export const processNotification: JobHandler<NotificationRow> = {
  queue: 'notification-process',
  select: SELECT_NOTIFICATIONS,
  traceOf: ({ id, named }) => ({ subject: named[0]?.charge_id ?? id, links: [id] }),
  handle: eachRow(processOne),
};

async function processOne(context: Context, notification: NotificationRow): Promise<Outcome> {
  const { about, connection } = notification;
  return about === 'settlement'
    ? processSettlement(context, connection, notification)
    : verifyNamed(context, connection, { ...notification, about });
}

/** Only the notification says how much landed; the provider's API lists the lines. */
async function processSettlement(
  context: Context,
  connection: StoredConnection,
  notification: NotificationRow,
): Promise<Outcome> {
  const settlement = context
    .providerOf(connection, 'notification')
    .readSettlement(openBody(context.vault, connection, notification.body));
  if (settlement)
    await context.inTx((tx) => recordSettlementNotification(tx, connection, settlement));
  return conclude(context, connection, notification, {
    status: settlement ? 'processed' : 'ignored',
  });
}

async function verifyNamed(
  context: Context,
  connection: StoredConnection,
  notification: PaymentNotification,
): Promise<Outcome> {
  const { clock } = context;
  const { named } = notification;
  const open = named.filter(({ answered }) => !answered);
  const provider = context.providerOf(connection, 'notification');
  // The only answer that it waits for ends it: in one transaction.
  const finish =
    open.length === 1 && notification.about !== 'dispute' ? finishWith(notification) : undefined;
  const { failure, verified } = await verifyAll(context, provider, notification, open, finish);
  if (failure) return tryAgain(notification, failure, clock());
  if (verified < open.length)
    return snooze(clock(), `${verified} attempts verified, and there are more`);
  return conclude(context, connection, notification, {
    status: named.length > 0 ? 'processed' : 'ignored',
    verified,
    finish,
  });
}

interface Conclusion {
  status: 'processed' | 'ignored';
  verified?: number;
  finish?: Finish | undefined;
}

async function conclude(
  context: Context,
  { tenant_id, mode }: StoredConnection,
  notification: NotificationRow,
  { status, verified = 0, finish }: Conclusion,
): Promise<Outcome> {
  const now = context.clock();
  const isFinished =
    finish?.isFinished ?? (await finishNotification(context.db, notification, status, now));
  if (!isFinished) {
    const at = new Date(now.getTime() + REPEAT_AFTER_MS);
    return snooze(at, 'the notification arrived again meanwhile');
  }
  const { event } = notification;
  return completed({ tenant_id, mode, event, notification: status, verified });
}

/** While the provider is silent, less and less often until retention: nothing else may know. */
function tryAgain(notification: PaymentNotification, failure: ProviderError, now: Date): Outcome {
  const { tries, snoozes } = notification;
  if (isDeferral(failure) || tries - snoozes < MAX_QUICK_TRIES)
    return retryOrSnooze(notification, failure, now);
  const waitedMs = now.getTime() - arrivalOf(notification).getTime();
  const waitMs = Math.min(Math.max(waitedMs / 2, LATER_MS.min), LATER_MS.max);
  return retry(new Date(now.getTime() + waitMs), failure.message);
}

type Round = { verified: number; failure?: ProviderError };

/** As many as fit into the lease, one by one, but none verified a moment ago. */
async function verifyAll(
  context: Context,
  provider: Provider,
  notification: PaymentNotification,
  attempts: NamedAttempt[],
  finish: Finish | undefined,
): Promise<Round> {
  const startedMs = context.clock().getTime();
  let verified = 0;
  let tooSoon: ProviderError | undefined;
  for (const attempt of attempts.slice(0, MAX_PER_CLAIM)) {
    const now = context.clock();
    if (now.getTime() - startedMs >= VERIFYING_MS) break;
    const isClaimed =
      attempt.claimed || (await claimVerification(context.db, attempt.id, notification.about, now));
    if (!isClaimed) {
      tooSoon = new ProviderError(
        'limited',
        'notification',
        'nothing was sent: another notification caused this verification a moment ago',
      );
      continue;
    }
    const failure = await verify(context, provider, notification, attempt, finish);
    if (failure) return { verified, failure };
    verified += 1;
  }
  return tooSoon ? { verified, failure: tooSoon } : { verified };
}

/** Verifies refunds or disputes too, where the notification is about those. Returns any failure. */
async function verify(
  { inTx, recordFact, clock, db, timeouts }: Context,
  provider: Provider,
  { about, connection_id: connectionId }: PaymentNotification,
  attempt: AskedAttempt,
  finish: Finish | undefined,
): Promise<ProviderError | undefined> {
  const askedAt = clock();
  const times = askTimes(timeouts);
  const leftMs = timeLeft(clock, times.totalMs);
  const asking = { inTx, recordFact, clock, provider };
  const answer = await askAboutAttempt(asking, attempt, times, {
    withRefunds: about === 'refund',
    alsoWrite: finish?.write,
  });
  if (answer instanceof ProviderError) return answer;
  if (about !== 'dispute') return undefined;
  for (const payment of await paymentsOfAttempt(db, attempt)) {
    const options = { timeoutMs: times.callMs, totalMs: leftMs() };
    const listed = await askDisputes({ inTx, provider, connectionId }, payment, options);
    if (listed instanceof ProviderError) return listed;
  }
  await recordAnswer(db, attempt.id, 'dispute', askedAt);
  return undefined;
}
