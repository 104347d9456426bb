import { expect } from 'chai';
import { credentialProblems } from '../../../domain/providers/port/credentials.ts';
import { providers } from '../../../domain/providers/registry.ts';
import { errorOf } from './calls.ts';
import { options } from './examples.ts';
import * as flutterwave from './flutterwave/examples.ts';
import * as monnify from './monnify/examples.ts';
import * as paystack from './paystack/examples.ts';

const examples = { paystack, flutterwave, monnify };
const problemsOf = (
  name: keyof typeof examples,
  changes: Record<string, string>,
  mode: 'live' | 'test' = 'test',
) => credentialProblems(providers[name]!, { ...examples[name].credentials, ...changes }, mode);

interface KeyWithMode {
  name: keyof typeof examples;
  field: string;
  called: string;
  end: string;
  live: string;
  test: string;
  livePrefix: string;
  wrong: string[];
}

const keys: KeyWithMode[] = [
  {
    ...{ name: 'paystack', field: 'secret_key', called: 'secret key', end: '' },
    ...{ live: 'sk_live_1', test: 'sk_test_', livePrefix: 'sk_live_' },
    wrong: ['pk_test_1', 'SK_test_1', 'sk_test_a b'],
  },
  {
    ...{ name: 'flutterwave', field: 'secret_key', called: 'secret key', end: '-X' },
    ...{ live: 'FLWSECK-1234-X', test: 'FLWSECK_TEST-', livePrefix: 'FLWSECK-' },
    wrong: [
      ...['FLWPUBK_TEST-12-X', 'FLWSECK_TEST-12', 'flwseck_test-12-X', 'FLWSECK_TEST-1 2-X'],
      ...['FLWSECK_LIVE-12-X', 'sk_test_1'],
    ],
  },
  {
    ...{ name: 'monnify', field: 'api_key', called: 'API key', end: '' },
    ...{ live: 'MK_PROD_FLX4P92EDF', test: 'MK_TEST_', livePrefix: 'MK_PROD_' },
    wrong: ['mk_test_a', 'MK_LIVE_A', 'MK_TEST_A:B', 'sk_test_1'],
  },
];

for (const { name, field, called, end, live, test, livePrefix, wrong } of keys) {
  describe(`The ${called} of ${name}`, () => {
    const problemOf = (key: string, mode?: 'live') => problemsOf(name, { [field]: key }, mode);

    it('has a prefix that says its mode', () => {
      expect(problemsOf(name, {})).to.deep.equal({});
      expect(problemOf(live, 'live')).to.deep.equal({});
      expect(problemOf(live)).to.deep.equal({
        [field]: `is a live key; in test mode it must be one that begins with ${test}`,
      });
      expect(problemsOf(name, {}, 'live')).to.deep.include({
        [field]: `is a test key; in live mode it must be one that begins with ${livePrefix}`,
      });
    });

    it('is not a part of a key, or anything else', () => {
      const ends = end && ` and ends with ${end}`;
      const whole = `${test}1${end}`;
      const odd = ['', `${test}${end}`, ` ${whole}`, `${whole} `, `${whole}\n`, `${test}é${end}`];
      for (const key of [...odd, ...wrong])
        expect(problemOf(key), key).to.deep.equal({
          [field]: `must be the account's ${called}, which begins with ${test}${ends}`,
        });
    });
  });
}

describe('Credentials', () => {
  it('are all required', () => {
    expect(Object.keys(credentialProblems(providers.monnify!, {}, 'test'))).to.deep.equal([
      ...['api_key', 'secret_key', 'contract_code'],
    ]);
  });

  it('of Flutterwave have a secret hash that a header returns unchanged', () => {
    const fieldsOf = (hash: string) =>
      Object.keys(problemsOf('flutterwave', { secret_hash: hash }));
    for (const hash of [flutterwave.secretHash, 'x', '!~', 'a b'])
      expect(fieldsOf(hash), hash).to.deep.equal([]);
    for (const hash of ['', ' ', ' a', 'a ', 'é', 'a\tb', 'a\n'])
      expect(fieldsOf(hash), hash).to.deep.equal(['secret_hash']);
  });

  it('of Monnify have a secret key that is not the API key, and a contract code of digits', () => {
    for (const key of ['', 'a b', 'é', 'A\n', monnify.credentials.api_key])
      expect(Object.keys(problemsOf('monnify', { secret_key: key })), key).to.deep.equal([
        'secret_key',
      ]);
    for (const code of ['', '12a', ' 1', '1\n', '-1', '1'.repeat(21)])
      expect(problemsOf('monnify', { contract_code: code }), code).to.deep.equal({
        contract_code: "must be the contract's code, which has digits only",
      });
  });
});

const noAtPaystack = { status: false, message: 'Invalid key' };
const checks = [
  [paystack, 'GET /balance', paystack.good([]), noAtPaystack],
  [flutterwave, 'GET /balances/NGN', flutterwave.good({}), flutterwave.bad('Not authorized')],
] as const;
for (const [{ accountAt }, path, good, no] of checks) {
  describe(`Checking a secret key with ${path}`, () => {
    it('reads the balance: a refusal is about the key, a 404 is about the address', async () => {
      const { account, requests } = accountAt([200, good]);
      await account.checkCredentials(options);
      expect(requests).to.deep.equal([path]);
      for (const status of [401, 400, 403, 404]) {
        const kind = status === 404 ? 'unknown' : 'refused';
        const error = await errorOf(accountAt([status, no]).account.checkCredentials(options));
        expect(error, `${status}`).to.include({ kind, stage: 'check' });
      }
    });
  });
}
