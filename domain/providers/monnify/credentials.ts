import type { Mode } from '../../shared/reader.ts';
import type { CredentialField } from '../definition.ts';
import { deadlineOf } from '../http.ts';
import type { CallOptions } from '../provider.ts';
import type { Client } from './client.ts';

/** The prefix of the API key says its mode. (https://developers.monnify.com/docs/get-started) */
export const credentialFields: Record<string, CredentialField> = {
  api_key: {
    description: 'The API key of the account; begins with `MK_TEST_` or `MK_PROD_`.',
    maxLength: 200,
    problemOf: problemOfApiKey,
    sample: (hex) => `MK_TEST_${hex(10).toUpperCase()}`,
  },
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

const prefixes = { test: 'MK_TEST_', live: 'MK_PROD_' };

function problemOfApiKey(key: string, mode: Mode): string | undefined {
  const environment = /^MK_(TEST|PROD)_[0-9A-Za-z]+$/.exec(key)?.[1];
  if (!environment) return `must be the account's API key, which begins with ${prefixes[mode]}`;
  const keyMode = environment === 'TEST' ? 'test' : 'live';
  return keyMode === mode
    ? undefined
    : `is a ${keyMode} key; in ${mode} mode it must be one that begins with ${prefixes[mode]}`;
}

/** A login proves the keys, and only their owner can log in. */
export async function checkCredentials(client: Client, options: CallOptions): Promise<void> {
  await client.logIn('check', deadlineOf(options));
}
