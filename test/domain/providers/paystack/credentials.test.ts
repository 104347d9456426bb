import { expect } from 'chai';
import { paystack } from '../../../../domain/providers/paystack/provider.ts';
import { credentialProblems } from '../../../../domain/providers/port/credentials.ts';
import { errorOf, type Reply } from '../calls.ts';
import { accountAt, options, secretKey } from './examples.ts';

const no = (message: string) => ({ status: false, message });

describe('Checking a secret key at Paystack', () => {
  it('reads the balance: a refusal is about the key, a 404 is about the address', async () => {
    const { account, requests } = accountAt([200, { status: true, message: 'ok', data: [] }]);
    await account.checkCredentials(options);
    expect(requests).to.deep.equal(['GET /balance']);
    const replies: [reply: Reply, kind: string][] = [
      [[401, no('Invalid key')], 'refused'],
      [[400, no('Invalid key')], 'refused'],
      [[403, no('Your IP address is not allowed')], 'refused'],
      [[404, no('Endpoint not found')], 'unknown'],
    ];
    for (const [reply, kind] of replies) {
      const error = await errorOf(accountAt(reply).account.checkCredentials(options));
      expect(error, JSON.stringify(reply)).to.include({ kind, stage: 'check' });
    }
  });
});

describe('A Paystack secret key', () => {
  const problemsOf = (key: string, mode: 'live' | 'test') =>
    credentialProblems(paystack, { secret_key: key }, mode);

  it('has a prefix that says its mode', () => {
    expect(problemsOf(secretKey, 'test')).to.deep.equal({});
    expect(problemsOf('sk_live_1', 'live')).to.deep.equal({});
    expect(problemsOf('sk_live_1', 'test')).to.deep.equal({
      secret_key: 'is a live key; in test mode it must be one that begins with sk_test_',
    });
    expect(problemsOf(secretKey, 'live').secret_key).to.match(/^is a test key/);
  });

  it('is not a public key or anything else', () => {
    const wrong = ['pk_test_1', 'sk_test_', 'SK_test_1', ' sk_test_1', 'sk_test_1 ', ''];
    for (const key of [...wrong, 'sk_test_a b', 'sk_test_é', 'sk_test_1\n'])
      expect(problemsOf(key, 'test'), key).to.deep.equal({
        secret_key: "must be the account's secret key, which begins with sk_test_",
      });
  });
});
