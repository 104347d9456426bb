import { randomBytes } from 'node:crypto';
import type { Stack } from './stack.ts';

/** A secret key in Paystack's form that belongs to no account. */
export function newPaystackKey(mode: 'test' | 'live' = 'test'): string {
  return `sk_${mode}_${randomBytes(20).toString('hex')}`;
}

/**
 * Opens an account in the sandbox, as a merchant does at the provider, or sets where the
 * notifications of an open one go. Returns its key.
 */
export async function openAccount(
  { control }: Stack,
  {
    mode = 'test',
    secretKey = newPaystackKey(mode),
    notificationUrl,
  }: { mode?: 'test' | 'live'; secretKey?: string; notificationUrl?: string } = {},
): Promise<string> {
  const account = { provider: 'paystack', mode, secret_key: secretKey };
  await control.openAccount({ ...account, notification_url: notificationUrl });
  return secretKey;
}

export function callSandboxAsPaystack({ context, sandbox }: Stack): void {
  const url = `${sandbox.url}/paystack`;
  context.env.baseUrls.paystack = { test: url, live: url };
}
