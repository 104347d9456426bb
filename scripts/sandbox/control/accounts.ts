import Type from 'typebox';
import { registerAccount } from '../accounts.ts';
import type { CredentialName } from '../context.ts';
import { flag, operation, providerNames, refuse, slots } from './operation.ts';

const text = (pattern: string) => Type.Optional(Type.String({ pattern }));

const credentialFields = {
  secret_key: text('^[!-~]{8,200}$'),
  secret_hash: text('^[!-~]{1,200}$'),
  api_key: text('^[!-~]{8,200}$'),
  contract_code: text('^[!-~]{1,200}$'),
};
const credentialNames = Object.keys(credentialFields) as CredentialName[];

const fields = {
  provider: Type.Enum([...providerNames]),
  slot: Type.Optional(Type.Enum([...slots])),
  ...credentialFields,
  notification_url: Type.Optional(Type.String({ pattern: '^https?://[!-~]+$', maxLength: 2048 })),
  mode: Type.Optional(Type.Enum(['test', 'live'])),
  refund_notices: flag,
};

/** Opens an account for a connection. Safe to repeat: the secret key is the account. */
export const registerAccounts = operation('post', '/accounts', fields, (context, input) => {
  const { provider, slot, mode, notification_url: notificationUrl } = input;
  const { credentials: needed } = context.providers[provider];
  for (const name of credentialNames) {
    const isNeeded = needed.includes(name);
    if (isNeeded && input[name] === undefined) return refuse(400, `${name} is required`);
    if (!isNeeded && input[name] !== undefined)
      return refuse(400, `${name} is no credential of ${provider}`);
  }
  if (notificationUrl && !URL.canParse(notificationUrl))
    return refuse(400, 'notification_url is no address');
  const account = registerAccount(context, {
    ...{ provider, slot, mode, notificationUrl, notifiesRefunds: input.refund_notices },
    credentials: Object.fromEntries(needed.map((name) => [name, input[name]!])),
  });
  const body = {
    ...{ id: account.id, provider, slot: account.slot, mode: account.mode },
    notification_url: account.notificationUrl,
    base_url: `${context.url}/${provider}`,
  };
  return { status: account.isNew ? 201 : 200, body };
});
