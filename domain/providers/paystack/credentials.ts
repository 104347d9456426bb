import { proveCredentials } from '../adapter/answers.ts';
import type { Client } from '../adapter/client.ts';
import { keyField } from '../adapter/secret-key.ts';
import type { CredentialField } from '../port/definition.ts';
import { answerForm } from './answers.ts';

/** (https://paystack.com/docs/api/authentication/) */
export const credentialFields: Record<string, CredentialField> = {
  secret_key: keyField({
    description: 'The secret key of the account; begins with `sk_test_` or `sk_live_`.',
    called: 'secret key',
    prefixes: { test: 'sk_test_', live: 'sk_live_' },
    patterns: { test: /^sk_test_[\x21-\x7e]+$/, live: /^sk_live_[\x21-\x7e]+$/ },
    sample: (hex) => `sk_test_${hex(40)}`,
  }),
};

export async function checkCredentials(client: Client): Promise<void> {
  proveCredentials(answerForm, await client.get('/balance'));
}
