import type { Fields } from '../../shared/problems.ts';
import type { CredentialsForm } from '../provider.ts';

/** What it takes to open a Monnify account. The API key's name says its mode. (https://developers.monnify.com/docs/get-started) */
export const credentialsForm: CredentialsForm = {
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['api_key', 'secret_key', 'contract_code'],
    properties: {
      api_key: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        format: 'printable',
        examples: ['MK_TEST_0123456789'],
      },
      secret_key: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        format: 'printable',
        examples: ['0123456789ABCDEF0123456789ABCDEF'],
      },
      contract_code: {
        type: 'string',
        minLength: 1,
        maxLength: 20,
        format: 'printable',
        examples: ['1234567890'],
      },
    },
  },
  problemsOf(
    { api_key: apiKey = '', secret_key: secretKey = '', contract_code: contractCode = '' },
    mode,
  ): Fields {
    const problems: Fields = {};
    const wrongKey = problemOfApiKey(apiKey, mode);
    if (wrongKey) problems.api_key = wrongKey;
    if (!/^[\x21-\x7e]+$/.test(secretKey) || secretKey.startsWith('MK_')) {
      problems.secret_key =
        "must be the account's secret key, which Monnify shows beside the API key";
    }
    if (!/^\d{1,20}$/.test(contractCode))
      problems.contract_code = "must be the contract's code, which has digits only";
    return problems;
  },
};

const beginnings = { test: 'MK_TEST_', live: 'MK_PROD_' };

function problemOfApiKey(key: string, mode: 'live' | 'test'): string | undefined {
  const word = /^MK_(TEST|PROD)_[0-9A-Za-z]+$/.exec(key)?.[1];
  const keyMode = word && (word === 'TEST' ? 'test' : 'live');
  if (keyMode === mode) return undefined;
  if (keyMode)
    return `is a ${keyMode} key; in ${mode} mode it must be one that begins with ${beginnings[mode]}`;
  return `must be the account's API key, which begins with ${beginnings[mode]}`;
}
