import { Agent } from 'undici';
import type { DueNotification, SandboxContext, Sender } from './context.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import { claimDue, markMissed } from './notifications.ts';
import { post } from './post.ts';

/** Enough that one receiver running into its time-out does not hold up the others. */
const mostInFlight = 64;

export interface Notifier extends Sender {
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Sends due notifications, many at once, each by itself: a slow receiver delays only its own. */
export function createNotifier(context: SandboxContext): Notifier {
  const agent = new Agent({ connections: mostInFlight });
  context.closing.addEventListener('abort', () => void agent.destroy(), { once: true });
  const inFlight = new Set<Promise<void>>();
  const deliveries = createDeliveries(context);
  let reserved = 0;
  let reading: Promise<void> | undefined;
  let callAgain = false;
  const room = () => mostInFlight - inFlight.size - reserved;

  function sendDue(): void {
    if (context.closing.aborted) return;
    if (reading) {
      callAgain = true;
      return;
    }
    reading = readAndSend()
      .catch((error) => context.log('notifications could not be read', { error: String(error) }))
      .finally(() => {
        reading = undefined;
        if (callAgain) sendDue();
      });
  }

  async function readAndSend(): Promise<void> {
    do {
      callAgain = false;
      const due = await claimDue(context.sql, context.now(), Math.max(0, room()));
      send(due);
      if (due.length > 0) callAgain = true;
    } while (callAgain && room() > 0 && !context.closing.aborted);
    callAgain = false;
  }

  function reserve(count: number): Disposable | undefined {
    if (count > room() || context.closing.aborted) return undefined;
    reserved += count;
    return {
      [Symbol.dispose]() {
        reserved -= count;
      },
    };
  }

  function send(claimed: readonly DueNotification[]): void {
    for (const notification of claimed) launch(notification);
  }

  function launch(notification: DueNotification): void {
    const sending = sendOne(context, agent, deliveries, notification)
      .catch((error) =>
        context.log('notification send failed', { id: notification.id, error: String(error) }),
      )
      .finally(() => {
        const wasFull = room() <= 0;
        inFlight.delete(sending);
        if (wasFull) sendDue();
      });
    inFlight.add(sending);
  }

  async function idle(): Promise<void> {
    using _waiting = deliveries.waitFor();
    while (reading || inFlight.size > 0) await Promise.allSettled([reading, ...inFlight]);
  }

  return {
    sendDue,
    reserve,
    send,
    idle,
    async close() {
      await idle();
      await agent.destroy();
    },
  };
}

/** One try: only 200 counts, redirects are not followed. */
async function sendOne(
  context: SandboxContext,
  agent: Agent,
  deliveries: Deliveries,
  notification: DueNotification,
): Promise<void> {
  const { id, body, provider, notificationUrl, tries } = notification;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'payment-sandbox',
    ...context.providers[provider].sign(notification, body),
  };
  const outcome = await post(agent, notificationUrl, headers, body);
  if (outcome === 200) return deliveries.record(id);
  context.log('notification refused', { provider, id, tries, status: outcome });
  await markMissed(context.sql, notification, context.now());
}
