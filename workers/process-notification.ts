import type { Context } from '../config/context.ts';
import { askAttempt } from '../domain/attempt/ask.ts';
import { nextRetryAt } from '../domain/attempt/schedule.ts';
import { ProviderError } from '../domain/providers/provider.ts';
import { findConnection } from '../domain/tenant/connection.ts';
import { type ClaimedRow, type Duty, done, later, never, type Outcome } from './pool.ts';

/** About an hour of asking for one notification: longer, and the attempt's own schedule finds the payment as soon. */
const MOST_TRIES = 15;

interface NotificationRow extends ClaimedRow {
  connection_id: string;
  payment_references: string[];
}

/** Asks the provider about the payments a notification names. Only that answer becomes a fact; the notification itself is hearsay. */
export const processNotification: Duty<NotificationRow> = { queue: 'notification-process', work: processOne };

async function processOne(context: Context, notification: NotificationRow): Promise<Outcome> {
  const attempts = await context.db.query<{ id: string; reference: string }>(
    'select id, reference from attempts where reference = any($1) and connection_id = $2',
    [notification.payment_references, notification.connection_id],
  );
  const provider = context.providerOf((await findConnection(context.db, notification.connection_id))!);
  for (const attempt of attempts) {
    const answer = await askAttempt({ atomically: context.atomically, clock: context.clock, provider }, attempt, context.timeouts.verifyMs);
    if (!(answer instanceof ProviderError)) continue;
    if (notification.tries >= MOST_TRIES) return never(`${answer.message}; the attempt's own checks go on`);
    return later(nextRetryAt(notification.tries, context.clock()), answer.message);
  }
  await context.db.query('update notifications set status = $3, due_at = null where id = $1 and tries = $2', [
    notification.id,
    notification.tries,
    attempts.length > 0 ? 'processed' : 'ignored',
  ]);
  return done;
}
