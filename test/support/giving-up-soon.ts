import { createWebhookClient } from '../../config/webhook-client.ts';
import type { Timeouts } from '../../domain/jobs.ts';
import type { Stack } from './stack.ts';

/** Enough for a question to arrive that nobody will answer. */
export const SOON_MS = 300;

/**
 * Has the stack give up soon on these calls while `work` lasts, which is about answers that never
 * come. Everything else keeps its usual
 * time: a busy machine may need it.
 */
export async function givingUpSoon<T>(
  { context }: Stack,
  calls: readonly (keyof Timeouts)[],
  work: () => Promise<T>,
): Promise<T> {
  const { timeouts, webhooks } = context;
  await using hasty = createWebhookClient(context.env.webhookAllowedHosts, SOON_MS);
  context.timeouts = { ...timeouts, ...Object.fromEntries(calls.map((call) => [call, SOON_MS])) };
  if (calls.includes('deliveryMs')) context.webhooks = hasty;
  try {
    return await work();
  } finally {
    Object.assign(context, { timeouts, webhooks });
  }
}
