import { Agent, request } from 'undici';
import type { SandboxContext } from './context.ts';
import { claimDue, type DueNotification, markDelivered, markMissed } from './notifications.ts';

const timeoutMs = 5_000;
/** Enough that one receiver running into its time-out does not hold up the others. */
const mostInFlight = 64;
const answerLimitBytes = 64 * 1024;

export interface Notifier {
  /** Starts sending the due notifications. */
  sendDue(): void;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Sends due notifications, many at once, each by itself: a slow receiver delays only its own. */
export function createNotifier(context: SandboxContext): Notifier {
  const agent = new Agent({ connections: mostInFlight });
  const inFlight = new Set<Promise<void>>();
  let reading: Promise<void> | undefined;
  let callAgain = false;

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
      const due = await claimDue(context.sql, context.now(), mostInFlight - inFlight.size);
      for (const notification of due) launch(notification);
      if (due.length > 0) callAgain = true;
    } while (callAgain && inFlight.size < mostInFlight && !context.closing.aborted);
    callAgain = false;
  }

  function launch(notification: DueNotification): void {
    const sending = send(context, agent, notification)
      .catch((error) =>
        context.log('notification send failed', { id: notification.id, error: String(error) }),
      )
      .finally(() => {
        const wasFull = inFlight.size >= mostInFlight;
        inFlight.delete(sending);
        if (wasFull) sendDue();
      });
    inFlight.add(sending);
  }

  async function idle(): Promise<void> {
    while (reading || inFlight.size > 0) await Promise.allSettled([reading, ...inFlight]);
  }

  return {
    sendDue,
    idle,
    async close() {
      await idle();
      await agent.destroy();
    },
  };
}

/** One try: only 200 counts, redirects are not followed. */
async function send(
  context: SandboxContext,
  agent: Agent,
  notification: DueNotification,
): Promise<void> {
  const { id, body, provider, notificationUrl, tries } = notification;
  const status = await post(
    context,
    agent,
    notificationUrl,
    context.providers[provider].sign(notification, body),
    body,
  );
  if (status === 200) return markDelivered(context.sql, id, context.now());
  context.log('notification refused', { provider, id, tries, status });
  await markMissed(context.sql, notification, context.now());
}

async function post(
  context: SandboxContext,
  agent: Agent,
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<number | string> {
  try {
    const signal = AbortSignal.any([context.closing, AbortSignal.timeout(timeoutMs)]);
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'payment-sandbox', ...headers },
      body,
      signal,
      dispatcher: agent,
    });
    await answer.body.dump({ limit: answerLimitBytes, signal });
    return answer.statusCode;
  } catch (error) {
    return error instanceof Error ? error.message : 'no answer';
  }
}
