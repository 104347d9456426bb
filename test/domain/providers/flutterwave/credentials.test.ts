import { expect } from 'chai';
import { flutterwave } from '../../../../domain/providers/flutterwave/provider.ts';
import { credentialProblems } from '../../../../domain/providers/port/credentials.ts';
import { errorOf, type Reply } from '../calls.ts';
import { accountAt, bad, credentials, good, options, secretHash, secretKey } from './examples.ts';

describe('Checking a secret key at Flutterwave', () => {
  it('reads the balance: a refusal is about the key, a 404 is about the address', async () => {
    const { account, requests } = accountAt([200, good({ currency: 'NGN' })]);
    await account.checkCredentials(options);
    expect(requests).to.deep.equal(['GET /balances/NGN']);
    const replies: [reply: Reply, kind: string][] = [
      [[401, bad('Authorization required')], 'refused'],
      [[403, bad('Your IP address is not allowed')], 'refused'],
      [[400, bad('merchant is disabled')], 'refused'],
      [[404, bad('Resource not found')], 'unknown'],
    ];
    for (const [reply, kind] of replies)
      expect(await errorOf(accountAt(reply).account.checkCredentials(options))).to.include({
        ...{ kind, stage: 'check' },
      });
  });
});

describe('A Flutterwave secret key', () => {
  const problemsOf = (key: string, mode: 'live' | 'test') =>
    credentialProblems(flutterwave, { ...credentials, secret_key: key }, mode);

  it('has a prefix that says its mode', () => {
    expect(problemsOf(secretKey, 'test')).to.deep.equal({});
    expect(problemsOf('FLWSECK-1234-X', 'live')).to.deep.equal({});
    expect(problemsOf('FLWSECK-1234-X', 'test')).to.deep.equal({
      secret_key: 'is a live key; in test mode it must be one that begins with FLWSECK_TEST-',
    });
    expect(problemsOf(secretKey, 'live')).to.deep.equal({
      secret_key: 'is a test key; in live mode it must be one that begins with FLWSECK-',
    });
  });

  it('is not a public key, a part of a key, or anything else', () => {
    const wrong = [
      ...['FLWPUBK_TEST-12-X', 'FLWSECK_TEST-12', 'FLWSECK_TEST--X', 'flwseck_test-12-X'],
      ...[' FLWSECK_TEST-12-X', 'FLWSECK_TEST-1 2-X', 'FLWSECK_TEST-12-X\n', 'FLWSECK_TEST-é-X'],
      ...['FLWSECK_LIVE-12-X', 'sk_test_1', ''],
    ];
    const problem =
      "must be the account's secret key, which begins with FLWSECK_TEST- and ends with -X";
    for (const key of wrong)
      expect(problemsOf(key, 'test'), key).to.deep.equal({ secret_key: problem });
  });
});

describe('A Flutterwave secret hash', () => {
  it('is text that a header returns unchanged', () => {
    const problemsOf = (hash: string) =>
      Object.keys(credentialProblems(flutterwave, { ...credentials, secret_hash: hash }, 'test'));
    for (const hash of [secretHash, 'x', '!~', 'a b'])
      expect(problemsOf(hash), hash).to.deep.equal([]);
    for (const hash of ['', ' ', ' a', 'a ', 'é', 'a\tb', 'a\n'])
      expect(problemsOf(hash), hash).to.deep.equal(['secret_hash']);
  });
});
