import { expect } from 'chai';
import { credentialsForm } from '../../../domain/providers/monnify/credentials.ts';
import { credentials } from './given.ts';

const problemsOf = (changes: Record<string, string>, mode: 'live' | 'test' = 'test') =>
  credentialsForm.problemsOf({ ...credentials, ...changes }, mode);

describe("A Monnify account's credentials", () => {
  it('are an API key, a secret key and a contract code, all of them', () => {
    expect(credentialsForm.schema).to.deep.include({ required: ['api_key', 'secret_key', 'contract_code'], additionalProperties: false });
    expect(problemsOf({})).to.deep.equal({});
    expect(Object.keys(credentialsForm.problemsOf({}, 'test'))).to.deep.equal(['api_key', 'secret_key', 'contract_code']);
  });

  it('say their mode by the API key', () => {
    expect(problemsOf({ api_key: 'MK_PROD_FLX4P92EDF' }, 'live')).to.deep.equal({});
    expect(problemsOf({ api_key: 'MK_PROD_FLX4P92EDF' })).to.deep.equal({
      api_key: 'is a live key; in test mode it must be one that begins with MK_TEST_',
    });
    expect(problemsOf({}, 'live')).to.deep.equal({ api_key: 'is a test key; in live mode it must be one that begins with MK_PROD_' });
  });

  it('have an API key that is nothing else', () => {
    for (const key of [
      '',
      'MK_TEST_',
      'mk_test_a',
      'MK_LIVE_A',
      ' MK_TEST_A',
      'MK_TEST_A ',
      'MK_TEST_A\n',
      'MK_TEST_A:B',
      'MK_TEST_é',
      'sk_test_1',
    ]) {
      expect(problemsOf({ api_key: key }), key).to.deep.equal({ api_key: "must be the account's API key, which begins with MK_TEST_" });
    }
  });

  it('have a secret key that no API key was entered for', () => {
    for (const key of ['', 'a b', 'é', 'A\n', credentials.api_key]) {
      expect(Object.keys(problemsOf({ secret_key: key })), key).to.deep.equal(['secret_key']);
    }
  });

  it('have a contract code of digits', () => {
    for (const code of ['', '12a', ' 1', '1\n', '-1', '1'.repeat(21)]) {
      expect(problemsOf({ contract_code: code }), code).to.deep.equal({
        contract_code: "must be the contract's code, which has digits only",
      });
    }
  });
});
