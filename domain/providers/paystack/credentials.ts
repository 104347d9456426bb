import type { Fields } from '../../shared/problems.ts';
import type { CredentialsForm } from '../provider.ts';

/** What it takes to open a Paystack account: its secret key, whose name says its mode. (https://paystack.com/docs/api/authentication/) */
export const credentialsForm: CredentialsForm = {
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['secret_key'],
    properties: {
      secret_key: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        format: 'printable',
        examples: [`sk_test_${'0123456789'.repeat(4)}`],
      },
    },
  },
  problemsOf({ secret_key: key = '' }, mode): Fields {
    const wanted = `sk_${mode}_`;
    const keyMode = /^sk_(live|test)_[\x21-\x7e]+$/.exec(key)?.[1];
    if (keyMode === mode) return {};
    if (keyMode)
      return {
        secret_key: `is a ${keyMode} key; in ${mode} mode it must be one that begins with ${wanted}`,
      };
    return { secret_key: `must be the account's secret key, which begins with ${wanted}` };
  },
};
