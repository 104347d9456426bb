import { keyField } from '../adapter/secret-key.ts';
import type { CredentialField } from '../port/definition.ts';
import type { MonnifyClient } from './client.ts';

/** (https://developers.monnify.com/docs/get-started) */
export const credentialFields: Record<string, CredentialField> = {
  api_key: keyField({
    description: 'The API key of the account; begins with `MK_TEST_` or `MK_PROD_`.',
    called: 'API key',
    prefixes: { test: 'MK_TEST_', live: 'MK_PROD_' },
    patterns: { test: /^MK_TEST_[0-9A-Za-z]+$/, live: /^MK_PROD_[0-9A-Za-z]+$/ },
    sample: (hex) => `MK_TEST_${hex(10).toUpperCase()}`,
  }),
  secret_key: {
    description: 'The secret key, which Monnify shows beside the API key. It signs notifications.',
    maxLength: 200,
    problemOf: (key) =>
      /^[\x21-\x7e]+$/.test(key) && !key.startsWith('MK_')
        ? undefined
        : "must be the account's secret key, which Monnify shows beside the API key",
    sample: (hex) => hex(32).toUpperCase(),
  },
  contract_code: {
    description: 'The code of the contract under which payments are made; digits only.',
    maxLength: 20,
    problemOf: (code) =>
      /^\d{1,20}$/.test(code) ? undefined : "must be the contract's code, which has digits only",
    sample: (hex) => String(1_000_000_000 + Number.parseInt(hex(8), 16)),
  },
};

/** A login proves the keys, and only their owner can log in. */
export async function checkCredentials(client: MonnifyClient): Promise<void> {
  await client.logIn();
}
