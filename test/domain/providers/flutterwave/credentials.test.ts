import { expect } from 'chai';
import { credentialProblems } from '../../../../domain/providers/credentials.ts';
import { flutterwave } from '../../../../domain/providers/flutterwave/provider.ts';
import { errorOf, useNock } from '../calls.ts';
import {
  account,
  api,
  bad,
  credentials,
  good,
  options,
  secretHash,
  secretKey,
} from './examples.ts';

const balance = () => api().get('/balances/NGN');

describe('Flutterwave, asked whether it accepts a secret key', () => {
  useNock();

  it('accepts it by showing its balance', async () => {
    balance().reply(
      200,
      good(
        { currency: 'NGN', available_balance: 1250.5, ledger_balance: 0 },
        'Wallet balance fetched',
      ),
    );
    await account.checkCredentials(options);
  });

  const refusals: [what: string, status: number, body: object, message: string][] = [
    [
      'a key it does not know',
      401,
      bad('Authorization required'),
      'Flutterwave does not accept the secret key: Authorization required',
    ],
    [
      'an address not on the account’s list',
      403,
      bad('Your IP address is not allowed'),
      'Your IP address is not allowed',
    ],
    ['a closed account', 400, bad('merchant is disabled'), 'Merchant is disabled'],
  ];
  for (const [what, status, body, message] of refusals) {
    it(`refuses ${what}`, async () => {
      balance().reply(status, body);
      expect(await errorOf(account.checkCredentials(options))).to.deep.equal({
        kind: 'refused',
        stage: 'check',
        message,
      });
    });
  }

  const odd: [what: string, status: number, body: object | string, kind: string][] = [
    ['a wrong address', 404, bad('Resource not found'), 'unknown'],
  ];
  for (const [what, status, body, kind] of odd) {
    it(`says nothing of the key by ${what}`, async () => {
      balance().reply(status, body as object);
      expect(await errorOf(account.checkCredentials(options))).to.include({ kind, stage: 'check' });
    });
  }
});

describe('A Flutterwave secret key', () => {
  const problemsOf = (key: string, mode: 'live' | 'test') =>
    credentialProblems(flutterwave, { ...credentials, secret_key: key }, mode);

  it('is known by its beginning, which says its mode', () => {
    expect(problemsOf(secretKey, 'test')).to.deep.equal({});
    expect(problemsOf('FLWSECK-1234-X', 'live')).to.deep.equal({});
    expect(problemsOf('FLWSECK-1234-X', 'test')).to.deep.equal({
      secret_key: 'is a live key; in test mode it must be one that begins with FLWSECK_TEST-',
    });
    expect(problemsOf(secretKey, 'live')).to.deep.equal({
      secret_key: 'is a test key; in live mode it must be one that begins with FLWSECK-',
    });
  });

  it('is neither a public key, nor cut off, nor anything else', () => {
    const wrong = [
      'FLWPUBK_TEST-12-X',
      'FLWSECK_TEST-12',
      'FLWSECK_TEST--X',
      'flwseck_test-12-X',
      ' FLWSECK_TEST-12-X',
      'FLWSECK_TEST-1 2-X',
    ];
    for (const key of [
      ...wrong,
      'FLWSECK_TEST-12-X\n',
      'FLWSECK_TEST-é-X',
      'FLWSECK_LIVE-12-X',
      'sk_test_1',
      '',
    ]) {
      expect(problemsOf(key, 'test'), key).to.deep.equal({
        secret_key:
          "must be the account's secret key, which begins with FLWSECK_TEST- and ends with -X",
      });
    }
  });
});

describe('A Flutterwave secret hash', () => {
  const problemsOf = (hash: string) =>
    Object.keys(credentialProblems(flutterwave, { ...credentials, secret_hash: hash }, 'test'));

  it('is whatever comes back in a header as it was typed', () => {
    for (const hash of [secretHash, 'x', '!~', 'a b'])
      expect(problemsOf(hash), hash).to.deep.equal([]);
    for (const hash of ['', ' ', ' a', 'a ', 'é', 'a\tb', 'a\n'])
      expect(problemsOf(hash), hash).to.deep.equal(['secret_hash']);
  });
});
