import { registerAccount } from '../accounts.ts';
import type { ProviderName } from '../records.ts';
import type { Answer, World } from '../world.ts';
import type { ControlRoute } from './route.ts';

interface Input {
  provider: ProviderName;
  slot?: string;
  secret_key: string;
  notification_url?: string;
  mode?: 'test' | 'live';
}

/** Opens an account for a merchant. Safe to repeat: the secret key is the account. */
export const registerAccounts: ControlRoute = {
  method: 'post',
  path: '/accounts',
  fields: {
    provider: { enum: ['paystack'] },
    slot: { enum: ['provider_a', 'provider_b', 'provider_c'] },
    secret_key: { type: 'string', pattern: '^[!-~]{8,200}$' },
    notification_url: { type: 'string', pattern: '^https?://[!-~]+$', maxLength: 2048 },
    mode: { enum: ['test', 'live'] },
  },
  required: ['provider', 'secret_key'],
  async handle(world: World, input: Input): Promise<Answer> {
    const { provider, slot, secret_key: secretKey, notification_url: notificationUrl, mode } = input;
    if (notificationUrl && !URL.canParse(notificationUrl)) return { status: 400, body: { error: 'notification_url is no address' } };
    const registration = { provider, slot, secretKey, notificationUrl, mode };
    const account = await registerAccount(world.sql, registration, world.providers[provider].slot, world.now());
    const body = {
      id: account.id,
      provider,
      slot: account.slot,
      mode: account.mode,
      notification_url: account.notificationUrl,
      base_url: `${world.url}/${provider}`,
    };
    return { status: account.created ? 201 : 200, body };
  },
};
