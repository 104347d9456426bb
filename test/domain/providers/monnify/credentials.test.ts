import { expect } from 'chai';
import { credentialProblems } from '../../../../domain/providers/credentials.ts';
import { monnify } from '../../../../domain/providers/monnify/provider.ts';
import { errorOf, useNock } from '../calls.ts';
import {
  badKeys,
  credentials,
  loggedIn,
  loginCall,
  no,
  ok,
  opened,
  options,
  query,
  reference,
  transaction,
} from './examples.ts';

const problemsOf = (changes: Record<string, string>, mode: 'live' | 'test' = 'test') =>
  credentialProblems(monnify, { ...credentials, ...changes }, mode);

describe("A Monnify account's credentials", () => {
  it('are an API key, a secret key and a contract code, all of them', () => {
    expect(problemsOf({})).to.deep.equal({});
    expect(Object.keys(credentialProblems(monnify, {}, 'test'))).to.deep.equal([
      'api_key',
      'secret_key',
      'contract_code',
    ]);
  });

  it('say their mode by the API key', () => {
    expect(problemsOf({ api_key: 'MK_PROD_FLX4P92EDF' }, 'live')).to.deep.equal({});
    expect(problemsOf({ api_key: 'MK_PROD_FLX4P92EDF' })).to.deep.equal({
      api_key: 'is a live key; in test mode it must be one that begins with MK_TEST_',
    });
    expect(problemsOf({}, 'live')).to.deep.equal({
      api_key: 'is a test key; in live mode it must be one that begins with MK_PROD_',
    });
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
      expect(problemsOf({ api_key: key }), key).to.deep.equal({
        api_key: "must be the account's API key, which begins with MK_TEST_",
      });
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

describe('Monnify, asked whether it accepts keys', () => {
  useNock();

  it('accepts them by a login of its own, whatever token it has', async () => {
    const account = loggedIn();
    query('token-1').reply(200, ok(transaction()));
    await account.verify(reference, options);
    loginCall().reply(200, ok({ accessToken: 'token-2', expiresIn: 3600 }));
    await account.checkCredentials(options);
    query('token-2').reply(200, ok(transaction()));
    await account.verify(reference, options);
  });

  const keys = 'Monnify does not accept the API key and secret key';
  const refused: [status: number, body: object, message: string][] = [
    [401, badKeys, keys],
    [
      401,
      no('Unauthorized, supply authorization header'),
      `${keys}: Unauthorized, supply authorization header`,
    ],
    [403, no('Merchant is not active'), 'Merchant is not active'],
  ];
  for (const [status, body, message] of refused) {
    it(`refuses them with ${status} ${JSON.stringify(body)}`, async () => {
      loginCall().reply(status, body);
      expect(await errorOf(opened().checkCredentials(options))).to.deep.equal({
        kind: 'refused',
        stage: 'check',
        message,
      });
    });
  }

  const odd: [what: string, status: number, body: object | string, kind: string][] = [
    ['success without a token', 200, ok({}), 'unknown'],
    ['a wrong address', 404, no('Not found'), 'unknown'],
  ];
  for (const [what, status, body, kind] of odd) {
    it(`says nothing of them by ${what}`, async () => {
      loginCall().reply(status, body as object);
      expect(await errorOf(opened().checkCredentials(options))).to.include({
        kind,
        stage: 'check',
      });
    });
  }
});
