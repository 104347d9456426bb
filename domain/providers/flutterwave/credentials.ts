import type { Fields } from '../../shared/problems.ts';
import type { CredentialsForm } from '../provider.ts';

/**
 * What it takes to open a Flutterwave account: its secret key, whose name says its mode, and the secret hash its owner made up for
 * notifications. (https://developer.flutterwave.com/v3.0/docs/authentication, /webhooks)
 */
export const credentialsForm: CredentialsForm = {
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['secret_key', 'secret_hash'],
    properties: {
      secret_key: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        format: 'printable',
        examples: ['FLWSECK_TEST-0123456789abcdef-X'],
      },
      secret_hash: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        format: 'printable',
        examples: ['as typed in Flutterwave’s dashboard'],
      },
    },
  },
  problemsOf({ secret_key: key = '', secret_hash: hash = '' }, mode): Fields {
    return { ...keyProblems(key, mode), ...hashProblems(hash) };
  },
};

function keyProblems(key: string, mode: 'live' | 'test'): Fields {
  const wanted = mode === 'test' ? 'FLWSECK_TEST-' : 'FLWSECK-';
  const [whole, ofTest] = /^FLWSECK(_TEST)?-[\x21-\x7e]+-X$/.exec(key) ?? [];
  if (whole === undefined)
    return {
      secret_key: `must be the account's secret key, which begins with ${wanted} and ends with -X`,
    };
  const keyMode = ofTest ? 'test' : 'live';
  if (keyMode === mode) return {};
  return {
    secret_key: `is a ${keyMode} key; in ${mode} mode it must be one that begins with ${wanted}`,
  };
}

/** It comes back in a header, which keeps neither white space around it nor letters beyond ASCII. */
function hashProblems(hash: string): Fields {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(hash)) return {};
  return {
    secret_hash:
      'must be letters, digits and signs of plain ASCII, without a space at its beginning or end',
  };
}
