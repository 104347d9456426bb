import { proveCredentials } from '../adapter/answers.ts';
import type { Client } from '../adapter/client.ts';
import { keyField } from '../adapter/secret-key.ts';
import type { CredentialField } from '../port/definition.ts';
import { answerForm } from './answers.ts';

/** (https://developer.flutterwave.com/v3.0/docs/authentication, /webhooks) */
export const credentialFields: Record<string, CredentialField> = {
  secret_key: keyField({
    description: 'The secret key of the account; begins with `FLWSECK-` or `FLWSECK_TEST-`.',
    ...{ called: 'secret key', endsWith: '-X' },
    prefixes: { test: 'FLWSECK_TEST-', live: 'FLWSECK-' },
    patterns: { test: /^FLWSECK_TEST-[\x21-\x7e]+-X$/, live: /^FLWSECK-[\x21-\x7e]+-X$/ },
    sample: (hex) => `FLWSECK_TEST-${hex(32)}-X`,
  }),
  secret_hash: {
    description: 'The secret hash, as typed in Flutterwave’s dashboard. It signs notifications.',
    maxLength: 200,
    // It returns in a header, which keeps neither surrounding spaces nor letters beyond ASCII.
    problemOf: (hash) =>
      /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(hash)
        ? undefined
        : 'must be letters, digits and signs of plain ASCII, without a space at its beginning or end',
    sample: (hex) => hex(40),
  },
};

export async function checkCredentials(client: Client): Promise<void> {
  proveCredentials(answerForm, await client.get('/balances/NGN'));
}
