import { accountOf, count } from './accounts.ts';
import type { SandboxContext } from './context.ts';
import { openPoster, type Poster } from './post.ts';
import type { Account, Dispute, Notification, Payment, Refund, Settlement } from './records.ts';

type Told = { payment: Payment; refund?: Refund; dispute?: Dispute };

/** Notifies of a payment, or of a refund or dispute of it, where the provider does so. */
export function notifyOf(context: SandboxContext, { payment, refund, dispute }: Told): void {
  const account = accountOf(context.store, payment);
  const { notifications } = context.providers[account.provider];
  const message = refund
    ? notifications.refund(account, payment, refund)
    : dispute
      ? notifications.dispute?.(account, payment, dispute)
      : notifications.payment(account, payment);
  notify(context, account, message, payment.id);
}

/** Notifies of a settlement whose money landed, where the provider does so. */
export function notifyOfSettlement(context: SandboxContext, settlement: Settlement): void {
  const { store, providers } = context;
  const account = accountOf(store, settlement);
  if (settlement.status !== 'landed') return;
  const payments = settlement.paymentIds.map((id) => store.payment.get(id)!);
  const message = providers[account.provider].notifications.settlement?.(settlement, payments);
  notify(context, account, message, null);
}

/** Queues a message. Its bytes are fixed here; the signature is made when they are sent. */
export function notify(
  { store, faults, now, random }: SandboxContext,
  { id: accountId, provider, notificationUrl }: Account,
  message: object | undefined,
  paymentId: number | null,
): void {
  const { dropNotifications, duplicateNotifications, delayNotificationsMs } = faults[provider];
  if (!message || !notificationUrl || dropNotifications) return;
  const body = JSON.stringify(message);
  for (let copy = 0; copy < (duplicateNotifications ? 2 : 1); copy++)
    store.notification.add({
      ...{ accountId, paymentId, body, tries: 0, deliveredAt: null, createdAt: now() },
      dueAt: new Date(now().getTime() + delayNotificationsMs * random()),
    });
}

/** The real providers go on for days; here retries to a lost receiver should end soon. */
const RETRY_DELAYS_MS = [1_000, 10_000, 60_000];

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
    /** Waits for what is being sent, and ends. */
    async close() {
      await idle();
      await poster.destroy();
    },
  };
}

/** Counts the try first: a sandbox that dies meanwhile makes it again. */
async function send(context: SandboxContext, poster: Poster, notification: Notification) {
  const { store, providers, now } = context;
  const body = notification.body!;
  const account = accountOf(store, notification);
  const tries = notification.tries + 1;
  count(context, account, 'notifications');
  store.notification.change(notification, { tries });
  await store.saved();
  const headers = {
    ...{ 'content-type': 'application/json', 'user-agent': 'payment-sandbox' },
    ...providers[account.provider].sign(account, body),
  };
  const outcome = await poster.post(account.notificationUrl!, headers, body);
  if (outcome === 200) {
    const delivered = { dueAt: null, deliveredAt: now(), body: null };
    return void store.notification.change(notification, delivered);
  }
  context.log('notification refused', { id: notification.id, tries, status: outcome });
  const delayMs = RETRY_DELAYS_MS[tries - 1];
  const dueAt = delayMs === undefined ? null : new Date(now().getTime() + delayMs);
  store.notification.change(notification, { dueAt });
}
