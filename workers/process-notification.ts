import type { Context } from '../config/context.ts';
import { findConnection, type StoredConnection } from '../domain/accounts/connection/connection.ts';
import { type AskedAttempt, askAttempt } from '../domain/payments/attempt/verify-attempt.ts';
import { askDisputes } from '../domain/payments/dispute/ask.ts';
import {
  findNamed,
  type Named,
  type NamedAttempt,
  noteAnswer,
  takeTurn,
} from '../domain/payments/notification/questions.ts';
import { openBody, REPEAT_AFTER_MS } from '../domain/payments/notification/take.ts';
import {
  isDeferral,
  type Notification,
  type PaidPayment,
  type Provider,
  ProviderError,
} from '../domain/providers/provider.ts';
import { recordSettlementNotification } from '../domain/settlements/settlement/record-notification.ts';
import type { ClaimedRow } from '../domain/shared/due-rows.ts';
import type { Sql } from '../domain/shared/sql.ts';
import {
  completed,
  discard,
  eachRow,
  type JobHandler,
  type Outcome,
  retryOrSnooze,
  snooze,
} from './job-handler.ts';

/** About an hour of asking for one notification: longer, and the attempt's own schedule finds the payment as soon. */
const MOST_TRIES = 15;
/** Attempts asked about in one claim: a settlement may name thousands, and the lease ends. */
const MOST_IN_ONE_CLAIM = 20;

interface NotificationRow extends ClaimedRow, Omit<Named, 'about'> {
  connection_id: string;
  about: Notification['about'];
  /** Sealed. */
  body: string;
  event: string;
  created_at: Date;
  /** When it came last; null where a version before this one took it. */
  arrived_at: Date | null;
}

/** One that is about payments. */
type Asking = Omit<NotificationRow, 'about'> & Pick<Named, 'about'>;

/**
 * Asks the provider about the payments a notification names. Only that answer becomes a fact; the notification itself is hearsay.
 *
 * Who can make notifications (Flutterwave's hash does not bind what is in them) can make no fact, nor calls without bound: about one
 * attempt, one thing is asked at most once every two seconds. Nothing true is lost by it: a notification is done with only when a question
 * that was put after it arrived was answered, whoever put it; one that finds no turn to ask is looked at again later; and one that comes
 * again meanwhile is not done with.
 */
export const processNotification: JobHandler<NotificationRow> = {
  queue: 'notification-process',
  handle: eachRow(processOne),
};

async function processOne(context: Context, notification: NotificationRow): Promise<Outcome> {
  const connection = (await findConnection(context.db, notification.connection_id))!;
  const { about } = notification;
  return about === 'settlement'
    ? takePayout(context, connection, notification)
    : askAbout(context, connection, { ...notification, about });
}

/** Its lines are asked of the provider; how much landed only the notification says. */
async function takePayout(
  context: Context,
  connection: StoredConnection,
  notification: NotificationRow,
): Promise<Outcome> {
  const stated = context
    .providerOf(connection)
    .readSettlement(openBody(context.vault, connection, notification.body));
  if (stated) await context.inTx((tx) => recordSettlementNotification(tx, connection, stated));
  return conclude(context, connection, notification, { status: stated ? 'processed' : 'ignored' });
}

async function askAbout(
  context: Context,
  connection: StoredConnection,
  notification: Asking,
): Promise<Outcome> {
  const { db, clock } = context;
  const named = await findNamed(db, notification, arrivalOf(notification), MOST_IN_ONE_CLAIM + 1);
  const open = named.filter(({ answered }) => !answered);
  const round = await askAll(context, context.providerOf(connection), notification, open);
  const { failure, asked } = round;
  if (failure)
    return givenUp(notification, failure) ?? retryOrSnooze(notification, failure, clock());
  if (asked < open.length) return snooze(clock(), `${asked} attempts verified, and there are more`);
  return conclude(context, connection, notification, {
    status: named.length > 0 ? 'processed' : 'ignored',
    asked,
  });
}

interface Conclusion {
  status: 'processed' | 'ignored';
  asked?: number;
}

async function conclude(
  context: Context,
  { tenant_id, mode }: StoredConnection,
  notification: NotificationRow,
  { status, asked = 0 }: Conclusion,
): Promise<Outcome> {
  if (!(await finish(context, notification, status))) {
    return snooze(
      new Date(context.clock().getTime() + REPEAT_AFTER_MS),
      'the notification arrived again meanwhile',
    );
  }
  return completed({ tenant_id, mode, event: notification.event, notification: status, asked });
}

function givenUp({ tries, snoozes }: Asking, failure: ProviderError): Outcome | undefined {
  if (isDeferral(failure) || tries - snoozes < MOST_TRIES) return undefined;
  return discard(`${failure.message}; the attempt's own checks go on`);
}

interface Round {
  asked: number;
  failure?: ProviderError;
}

/** Asks about one attempt after the other, as many as fit into the claim's lease. Who was asked a moment ago does not hold up the others. */
async function askAll(
  context: Context,
  provider: Provider,
  notification: Asking,
  attempts: NamedAttempt[],
): Promise<Round> {
  const startedMs = context.clock().getTime();
  let asked = 0;
  let tooSoon: ProviderError | undefined;
  for (const attempt of attempts.slice(0, MOST_IN_ONE_CLAIM)) {
    const now = context.clock();
    if (now.getTime() - startedMs >= context.timeouts.verifyMs) break;
    if (!(await takeTurn(context.db, attempt.id, notification.about, now))) {
      tooSoon = new ProviderError(
        'limited',
        'notification',
        'nothing was sent: another notification had this asked a moment ago',
      );
      continue;
    }
    const failure = await ask(context, provider, notification, attempt);
    if (failure) return { asked, failure };
    asked += 1;
  }
  return tooSoon ? { asked, failure: tooSoon } : { asked };
}

/** Asks all that the notification may be about; returns what went wrong, if anything did. */
async function ask(
  { inTx, clock, db, timeouts }: Context,
  provider: Provider,
  { about, connection_id: connectionId }: Asking,
  attempt: AskedAttempt,
): Promise<ProviderError | undefined> {
  const askedAt = clock();
  const asking = { inTx, clock, provider };
  const answer = await askAttempt(asking, attempt, timeouts.verifyMs, {
    withRefunds: about === 'refund',
  });
  if (answer instanceof ProviderError) return answer;
  if (about !== 'dispute') return undefined;
  for (const payment of await paymentsOf(db, attempt)) {
    const told = await askDisputes({ inTx, provider, connectionId }, payment, timeouts.verifyMs);
    if (told instanceof ProviderError) return told;
  }
  await noteAnswer(db, attempt.id, 'dispute', askedAt);
  return undefined;
}

async function paymentsOf(sql: Sql, { id, reference }: AskedAttempt): Promise<PaidPayment[]> {
  const rows = await sql.query<{ provider_payment_id: string; captured_at: Date }>(
    'select provider_payment_id, captured_at from captures where charge_id = (select charge_id from attempts where id = $1) and attempt_id = $1',
    [id],
  );
  return rows.map((row) => ({
    providerPaymentId: row.provider_payment_id,
    reference,
    capturedAt: row.captured_at,
  }));
}

/** False when it came again while it was worked on: what made it come may be later than what was answered. */
async function finish(
  { db, clock }: Context,
  notification: NotificationRow,
  status: 'processed' | 'ignored',
): Promise<boolean> {
  const rows = await db.query(
    `update notifications set status = $3, due_at = null, processed_at = $5
     where id = $1 and tries = $2 and coalesce(arrived_at, created_at) = $4 returning id`,
    [notification.id, notification.tries, status, arrivalOf(notification), clock()],
  );
  return rows.length > 0;
}

function arrivalOf({ arrived_at: arrivedAt, created_at: createdAt }: NotificationRow): Date {
  return arrivedAt ?? createdAt;
}
