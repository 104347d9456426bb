import type { Context } from '../config/context.ts';
import { type AskedAttempt, askAttempt } from '../domain/attempt/ask.ts';
import { askDisputes } from '../domain/dispute/ask.ts';
import { type PaidPayment, type Provider, ProviderError } from '../domain/providers/provider.ts';
import type { Sql } from '../domain/sql.ts';
import { findConnection } from '../domain/tenant/connection.ts';
import { type ClaimedRow, type Duty, done, laterAfter, never, type Outcome } from './pool.ts';

/** About an hour of asking for one notification: longer, and the attempt's own schedule finds the payment as soon. */
const MOST_TRIES = 15;

interface NotificationRow extends ClaimedRow {
  connection_id: string;
  spared: number;
  about: 'payment' | 'refund' | 'dispute' | 'other';
  payment_references: string[];
  payment_ids: string[];
}

/** Asks the provider about the payments a notification names. Only that answer becomes a fact; the notification itself is hearsay. */
export const processNotification: Duty<NotificationRow> = { queue: 'notification-process', work: processOne };

async function processOne(context: Context, notification: NotificationRow): Promise<Outcome> {
  const attempts = await findNamed(context, notification);
  const provider = context.providerOf((await findConnection(context.db, notification.connection_id))!);
  for (const attempt of attempts) {
    const answer = await ask(context, provider, notification, attempt);
    if (!answer) continue;
    if (notification.tries - notification.spared >= MOST_TRIES) return never(`${answer.message}; the attempt's own checks go on`);
    return laterAfter(notification, answer, context.clock());
  }
  await context.db.query('update notifications set status = $3, due_at = null where id = $1 and tries = $2', [
    notification.id,
    notification.tries,
    attempts.length > 0 ? 'processed' : 'ignored',
  ]);
  return done;
}

/** Asks all that the notification may be about; returns what went wrong, if anything did. */
async function ask(
  { atomically, clock, db, timeouts }: Context,
  provider: Provider,
  { about, connection_id: connectionId }: NotificationRow,
  attempt: AskedAttempt,
): Promise<ProviderError | undefined> {
  const asking = { atomically, clock, provider };
  const answer = await askAttempt(asking, attempt, timeouts.verifyMs, { withRefunds: about === 'refund' });
  if (answer instanceof ProviderError) return answer;
  if (about !== 'dispute') return undefined;
  for (const payment of await paymentsOf(db, attempt)) {
    const told = await askDisputes({ atomically, provider, connectionId }, payment, timeouts.verifyMs);
    if (told instanceof ProviderError) return told;
  }
  return undefined;
}

async function paymentsOf(sql: Sql, { id, reference }: AskedAttempt): Promise<PaidPayment[]> {
  const rows = await sql.query<{ provider_payment_id: string; captured_at: Date }>(
    'select provider_payment_id, captured_at from captures where attempt_id = $1',
    [id],
  );
  return rows.map((row) => ({ providerPaymentId: row.provider_payment_id, reference, capturedAt: row.captured_at }));
}

/** By our references, or by the provider's own ids of payments we hold. */
function findNamed({ db }: Context, notification: NotificationRow): Promise<AskedAttempt[]> {
  return db.query<AskedAttempt>(
    `select id, reference, connection_id from attempts where connection_id = $1 and (reference = any($2)
       or id = any(array(select attempt_id from captures where connection_id = $1 and provider_payment_id = any($3))))`,
    [notification.connection_id, notification.payment_references, notification.payment_ids],
  );
}
