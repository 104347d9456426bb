import { registerAccount } from '../accounts.ts';
import type { Answer, CredentialName, SandboxContext } from '../context.ts';
import type { ProviderName } from '../records.ts';
import { type ControlRoute, providerNames, refuse } from './route.ts';

interface Input extends Partial<Record<CredentialName, string>> {
  provider: ProviderName;
  slot?: string;
  notification_url?: string;
  mode?: 'test' | 'live';
  refund_notices?: boolean;
}

const credentialFields: Record<CredentialName, { type: 'string'; pattern: string }> = {
  secret_key: { type: 'string', pattern: '^[!-~]{8,200}$' },
  secret_hash: { type: 'string', pattern: '^[!-~]{1,200}$' },
  api_key: { type: 'string', pattern: '^[!-~]{8,200}$' },
  contract_code: { type: 'string', pattern: '^[!-~]{1,200}$' },
};

/**
 * Opens an account for a merchant, with the credentials a connection to its provider stores. Safe
 * to repeat: the secret key is the account.
 */
export const registerAccounts: ControlRoute = {
  method: 'post',
  path: '/accounts',
  fields: {
    provider: { enum: providerNames },
    slot: { enum: ['provider_a', 'provider_b', 'provider_c'] },
    ...credentialFields,
    notification_url: { type: 'string', pattern: '^https?://[!-~]+$', maxLength: 2048 },
    mode: { enum: ['test', 'live'] },
    refund_notices: { type: 'boolean' },
  },
  required: ['provider'],
  async handle(context: SandboxContext, input: Input): Promise<Answer> {
    const {
      provider,
      slot,
      notification_url: notificationUrl,
      mode,
      refund_notices: notifiesRefunds,
    } = input;
    const known = context.providers[provider];
    const problem = complaintAbout(input, known.credentials);
    if (problem) return refuse(400, problem);
    const credentials = Object.fromEntries(known.credentials.map((name) => [name, input[name]!]));
    const registration = { provider, slot, credentials, notificationUrl, mode, notifiesRefunds };
    const account = await registerAccount(context.sql, registration, known.slot, context.now());
    const body = {
      id: account.id,
      provider,
      slot: account.slot,
      mode: account.mode,
      notification_url: account.notificationUrl,
      base_url: `${context.url}/${provider}`,
    };
    return { status: account.created ? 201 : 200, body };
  },
};

function complaintAbout(input: Input, needed: readonly CredentialName[]): string | undefined {
  const missing = needed.find((name) => input[name] === undefined);
  if (missing) return `${missing} is required`;
  const foreign = (Object.keys(credentialFields) as CredentialName[]).find(
    (name) => input[name] !== undefined && !needed.includes(name),
  );
  if (foreign) return `${foreign} is no credential of ${input.provider}`;
  return input.notification_url && !URL.canParse(input.notification_url)
    ? 'notification_url is no address'
    : undefined;
}
