import { expect } from 'chai';
import { monnify } from '../../../../domain/providers/monnify/provider.ts';
import { credentialProblems } from '../../../../domain/providers/port/credentials.ts';
import { credentials } from './examples.ts';

const problemsOf = (changes: Record<string, string>, mode: 'live' | 'test' = 'test') =>
  credentialProblems(monnify, { ...credentials, ...changes }, mode);

describe('The credentials of a Monnify account', () => {
  it('are an API key, a secret key and a contract code, all of them', () => {
    expect(problemsOf({})).to.deep.equal({});
    expect(Object.keys(credentialProblems(monnify, {}, 'test'))).to.deep.equal([
      ...['api_key', 'secret_key', 'contract_code'],
    ]);
  });

  it('have an API key whose prefix says their mode', () => {
    const live = { api_key: 'MK_PROD_FLX4P92EDF' };
    expect(problemsOf(live, 'live')).to.deep.equal({});
    expect(problemsOf(live)).to.deep.equal({
      api_key: 'is a live key; in test mode it must be one that begins with MK_TEST_',
    });
    expect(problemsOf({}, 'live')).to.deep.equal({
      api_key: 'is a test key; in live mode it must be one that begins with MK_PROD_',
    });
    const wrong = ['', 'MK_TEST_', 'mk_test_a', 'MK_LIVE_A', ' MK_TEST_A', 'MK_TEST_A '];
    for (const key of [...wrong, 'MK_TEST_A\n', 'MK_TEST_A:B', 'MK_TEST_é', 'sk_test_1'])
      expect(problemsOf({ api_key: key }), key).to.deep.equal({
        api_key: "must be the account's API key, which begins with MK_TEST_",
      });
  });

  it('have a secret key that is not the API key, and a contract code of digits', () => {
    for (const key of ['', 'a b', 'é', 'A\n', credentials.api_key])
      expect(Object.keys(problemsOf({ secret_key: key })), key).to.deep.equal(['secret_key']);
    for (const code of ['', '12a', ' 1', '1\n', '-1', '1'.repeat(21)])
      expect(problemsOf({ contract_code: code }), code).to.deep.equal({
        contract_code: "must be the contract's code, which has digits only",
      });
  });
});
