import type { CredentialField } from '../definition.ts';
import type { CallOptions } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { errorOf, isGood } from './answers.ts';
import type { Client } from './client.ts';

/** The prefix of a key says its mode. (https://paystack.com/docs/api/authentication/) */
export const credentialFields: Record<string, CredentialField> = {
  secret_key: {
    description: 'The secret key of the account; begins with `sk_test_` or `sk_live_`.',
    maxLength: 200,
    problemOf(key, mode) {
      const prefix = `sk_${mode}_`;
      const keyMode = /^sk_(live|test)_[\x21-\x7e]+$/.exec(key)?.[1];
      if (keyMode === mode) return undefined;
      return keyMode
        ? `is a ${keyMode} key; in ${mode} mode it must be one that begins with ${prefix}`
        : `must be the account's secret key, which begins with ${prefix}`;
    },
    sample: (hex) => `sk_test_${hex(40)}`,
  },
};

export async function checkCredentials(client: Client, options: CallOptions): Promise<void> {
  const answer = await client({ ...options, method: 'GET', stage: 'check' }, '/balance');
  // A 404 is about the address, whoever sends it, and not about the key.
  if (answer.status === 404)
    throw new ProviderError('unknown', 'check', 'there is no balance at this address');
  if (!isGood(answer)) throw errorOf(answer, 'check');
}
