import type { Mode } from '../../shared/reader.ts';
import type { CredentialField } from '../definition.ts';
import { ProviderError } from '../provider-error.ts';
import { errorOf, isGood } from './answers.ts';
import type { Client } from './client.ts';

/** (https://developer.flutterwave.com/v3.0/docs/authentication, /webhooks) */
export const credentialFields: Record<string, CredentialField> = {
  secret_key: {
    description: 'The secret key of the account; begins with `FLWSECK-` or `FLWSECK_TEST-`.',
    maxLength: 200,
    problemOf: problemOfKey,
    sample: (hex) => `FLWSECK_TEST-${hex(32)}-X`,
  },
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

function problemOfKey(key: string, mode: Mode): string | undefined {
  const prefix = mode === 'test' ? 'FLWSECK_TEST-' : 'FLWSECK-';
  const [whole, test] = /^FLWSECK(_TEST)?-[\x21-\x7e]+-X$/.exec(key) ?? [];
  if (whole === undefined)
    return `must be the account's secret key, which begins with ${prefix} and ends with -X`;
  const keyMode = test ? 'test' : 'live';
  return keyMode === mode
    ? undefined
    : `is a ${keyMode} key; in ${mode} mode it must be one that begins with ${prefix}`;
}

export async function checkCredentials(client: Client): Promise<void> {
  const answer = await client.get('/balances/NGN', 'check');
  // A 404 is about the address, whoever sends it, and not about the key.
  if (answer.status === 404)
    throw new ProviderError('unknown', 'check', 'there is no balance at this address');
  if (!isGood(answer)) throw errorOf(answer, 'check');
}
