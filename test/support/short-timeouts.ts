import { createWebhookClient } from '../../config/webhooks/webhook-client.ts';
import type { Timeouts } from '../../domain/jobs.ts';
import type { Stack } from './stack.ts';

/** Long enough for a call to arrive; its answer never comes. */
export const SHORT_TIMEOUT_MS = 300;

/**
 * Shortens the time-outs of these calls while `work` runs, for tests of answers that never come.
 * All other calls keep their time-outs: a busy machine may need them.
 */
export async function withShortTimeouts<T>(
  { context }: Stack,
  calls: readonly (keyof Timeouts)[],
  work: () => Promise<T>,
): Promise<T> {
  const { timeouts, webhooks } = context;
  await using impatient = createWebhookClient(context.env.webhookAllowedHosts, SHORT_TIMEOUT_MS);
  context.timeouts = {
    ...timeouts,
    ...Object.fromEntries(calls.map((call) => [call, SHORT_TIMEOUT_MS])),
  };
  if (calls.includes('deliveryMs')) context.webhooks = impatient;
  try {
    return await work();
  } finally {
    Object.assign(context, { timeouts, webhooks });
  }
}
