import { accountOf } from './accounts.ts';
import type { SandboxContext } from './context.ts';
import { beginTry, endTry } from './notifications.ts';
import { openPoster, type Poster } from './post.ts';
import type { Notification } from './records.ts';

/** Enough that one receiver running into its time-out does not hold up the others. */
const MOST_IN_FLIGHT = 64;

/** Sends due notifications, many at once, each by itself: a slow receiver delays only its own. */
export function createNotifier(context: SandboxContext) {
  const poster = openPoster(MOST_IN_FLIGHT);
  context.closing.addEventListener('abort', () => void poster.destroy(), { once: true });
  const inFlight = new Map<Notification, Promise<void>>();

  function sendDue(): void {
    for (const notification of context.store.notification.find('due').reverse()) {
      if (inFlight.size >= MOST_IN_FLIGHT || context.closing.aborted) return;
      if (notification.dueAt! > context.now() || inFlight.has(notification)) continue;
      const sending = send(context, poster, notification)
        .catch((error) => context.log('notification send failed', { error: String(error) }))
        .finally(() => {
          inFlight.delete(notification);
          sendDue();
        });
      inFlight.set(notification, sending);
    }
  }

  async function idle(): Promise<void> {
    while (inFlight.size > 0) await Promise.all(inFlight.values());
  }

  return {
    /** Starts sending the due notifications, each once its change is in the database. */
    sendDue,
    /** Resolves when nothing is being sent. */
    idle,
    async close() {
      await idle();
      await poster.destroy();
    },
  };
}

async function send(context: SandboxContext, poster: Poster, notification: Notification) {
  const { store, providers } = context;
  const body = notification.body!;
  beginTry(context, notification);
  await store.saved();
  const account = accountOf(store, notification);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'payment-sandbox',
    ...providers[account.provider].sign(account, body),
  };
  endTry(context, notification, await poster.post(account.notificationUrl!, headers, body));
}
