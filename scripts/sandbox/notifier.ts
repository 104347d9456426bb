import { Agent, request } from 'undici';
import { claimDue, type DueNotification, markDelivered, markMissed } from './notifications.ts';
import type { World } from './world.ts';

const timeoutMs = 5_000;
/** Enough that one receiver running into its time-out does not hold up the others. */
const atOnce = 64;
const answerLimitBytes = 64 * 1024;

export interface Notifier {
  /** Starts sending whatever is due. */
  wake(): void;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Sends due notifications, many at once, each by itself: a slow receiver delays only its own. */
export function createNotifier(world: World): Notifier {
  const agent = new Agent({ connections: atOnce });
  const underWay = new Set<Promise<void>>();
  let pumping: Promise<void> | undefined;
  let wokenMeanwhile = false;

  function wake(): void {
    if (world.closing.aborted) return;
    if (pumping) {
      wokenMeanwhile = true;
      return;
    }
    pumping = pump()
      .catch((error) => world.log('notifications could not be read', { error: String(error) }))
      .finally(() => {
        pumping = undefined;
        if (wokenMeanwhile) wake();
      });
  }

  async function pump(): Promise<void> {
    do {
      wokenMeanwhile = false;
      const due = await claimDue(world.sql, world.now(), atOnce - underWay.size);
      for (const notification of due) launch(notification);
      if (due.length > 0) wokenMeanwhile = true;
    } while (wokenMeanwhile && underWay.size < atOnce && !world.closing.aborted);
    wokenMeanwhile = false;
  }

  function launch(notification: DueNotification): void {
    const sending = send(world, agent, notification)
      .catch((error) =>
        world.log('notification lost its place', { id: notification.id, error: String(error) }),
      )
      .finally(() => {
        const wasFull = underWay.size >= atOnce;
        underWay.delete(sending);
        if (wasFull) wake();
      });
    underWay.add(sending);
  }

  async function idle(): Promise<void> {
    while (pumping || underWay.size > 0) await Promise.allSettled([pumping, ...underWay]);
  }

  return {
    wake,
    idle,
    async close() {
      await idle();
      await agent.destroy();
    },
  };
}

/** One try: only 200 counts, redirects are not followed. */
async function send(world: World, agent: Agent, notification: DueNotification): Promise<void> {
  const { id, body, provider, notificationUrl, tries } = notification;
  const status = await post(
    world,
    agent,
    notificationUrl,
    world.providers[provider].sign(notification, body),
    body,
  );
  if (status === 200) return markDelivered(world.sql, id, world.now());
  world.log('notification not taken', { provider, id, tries, status });
  await markMissed(world.sql, notification, world.now());
}

async function post(
  world: World,
  agent: Agent,
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<number | string> {
  try {
    const signal = AbortSignal.any([world.closing, AbortSignal.timeout(timeoutMs)]);
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
