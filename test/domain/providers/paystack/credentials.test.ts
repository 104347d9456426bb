import { expect } from 'chai';
import { credentialProblems } from '../../../../domain/providers/credentials.ts';
import { paystack } from '../../../../domain/providers/paystack/provider.ts';
import { errorOf, onTheWire } from '../wire.ts';
import { account, api, options, secretKey } from './given.ts';

const balance = () => api().get('/balance');
const invalidKey = { status: false, message: 'Invalid key' };

describe('Paystack, asked whether it accepts a secret key', () => {
  onTheWire();

  it('accepts it by showing its balance', async () => {
    balance().reply(200, {
      status: true,
      message: 'Balances retrieved',
      data: [{ currency: 'NGN', balance: 1_700_000 }],
    });
    await account.checkCredentials(options);
  });

  const refusals: [what: string, status: number, body: object, message: string][] = [
    [
      'a key it does not know',
      401,
      invalidKey,
      'Paystack does not accept the secret key: Invalid key',
    ],
    ['a key it does not know, as an older page has it', 400, invalidKey, 'Invalid key'],
    [
      'an address not on the account’s list',
      403,
      { status: false, message: 'Your IP address is not allowed' },
      'Your IP address is not allowed',
    ],
    [
      'a closed account',
      400,
      { status: false, message: 'Integration has been deactivated' },
      'Integration has been deactivated',
    ],
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
    [
      'a wrong address',
      404,
      { status: false, message: 'Endpoint not found', code: 'route_not_found' },
      'unknown',
    ],
  ];
  for (const [what, status, body, kind] of odd) {
    it(`says nothing of the key by ${what}`, async () => {
      balance().reply(status, body as object);
      expect(await errorOf(account.checkCredentials(options))).to.include({ kind, stage: 'check' });
    });
  }
});

describe('A Paystack secret key', () => {
  const problemsOf = (key: string, mode: 'live' | 'test') =>
    credentialProblems(paystack, { secret_key: key }, mode);

  it('is known by its beginning, which says its mode', () => {
    expect(problemsOf(secretKey, 'test')).to.deep.equal({});
    expect(problemsOf('sk_live_1', 'live')).to.deep.equal({});
    expect(problemsOf('sk_live_1', 'test')).to.deep.equal({
      secret_key: 'is a live key; in test mode it must be one that begins with sk_test_',
    });
    expect(problemsOf(secretKey, 'live').secret_key).to.match(/^is a test key/);
  });

  it('is neither a public key nor anything else', () => {
    for (const key of [
      'pk_test_1',
      'sk_test_',
      'SK_test_1',
      ' sk_test_1',
      'sk_test_1 ',
      'sk_test_a b',
      'sk_test_é',
      'sk_test_1\n',
      '',
    ]) {
      expect(problemsOf(key, 'test'), key).to.deep.equal({
        secret_key: "must be the account's secret key, which begins with sk_test_",
      });
    }
  });
});
