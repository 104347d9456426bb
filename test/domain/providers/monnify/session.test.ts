import { expect } from 'chai';
import type { Provider } from '../../../../domain/providers/provider.ts';
import { errorOf, useNock } from '../calls.ts';
import {
  badKeys,
  init,
  loggedIn,
  loginCall,
  no,
  ok,
  opened,
  options,
  order,
  query,
  reference,
  transaction,
} from './examples.ts';

const token = (accessToken: string, expiresIn = 3600) => ok({ accessToken, expiresIn });
const verify = (account: Provider) => account.verify(reference, options);
const paid = ok(transaction());
const expired = no('Access token expired');

describe("Monnify's access token", () => {
  useNock();

  it('serves every call until a minute before its end, by the account’s clock', async () => {
    let now = new Date('2026-03-02T09:20:00Z');
    const account = opened(() => now);
    loginCall().reply(200, token('token-1', 3567));
    query('token-1').times(2).reply(200, paid);
    await verify(account);
    now = new Date(now.getTime() + 3_506_999);
    await verify(account);
    now = new Date(now.getTime() + 1);
    loginCall().reply(200, token('token-2'));
    query('token-2').reply(200, paid);
    await verify(account);
  });

  it('with a minute left, or no end that can be read, serves the call it was fetched for', async () => {
    for (const expiresIn of [60, 0, -5, null, undefined, 'soon', {}]) {
      const account = opened();
      for (const name of ['token-1', 'token-2']) {
        loginCall().reply(200, ok({ accessToken: name, expiresIn }));
        query(name).reply(200, paid);
        await verify(account);
      }
    }
  });

  it('is fetched once for calls that come together', async () => {
    const account = opened();
    loginCall().delay(30).reply(200, token('token-1'));
    query('token-1').times(3).reply(200, paid);
    const states = await Promise.all([1, 2, 3].map(() => verify(account)));
    expect(states.map(({ state }) => state)).to.deep.equal(['paid', 'paid', 'paid']);
  });

  it('is fetched anew by a call that comes after a login that failed', async () => {
    const account = opened();
    loginCall().reply(503, '');
    expect((await errorOf(verify(account))).kind).to.equal('retryable');
    loginCall().reply(200, token('token-1'));
    query('token-1').reply(200, paid);
    await verify(account);
  });

  const refusals: [what: string, body: object | string][] = [
    ['text', expired],
    ['another text', no('Cannot convert access token to json', 99)],
    [
      'a form that is not its own',
      { error: 'invalid_token', error_description: 'Access token expired' },
    ],
    ['a page', '<html>401</html>'],
  ];
  for (const [what, body] of refusals) {
    it(`is fetched anew after a 401 with ${what}, and the call made once more`, async () => {
      const account = loggedIn();
      query('token-1').reply(401, body);
      loginCall().reply(200, token('token-2'));
      query('token-2').times(2).reply(200, paid);
      expect((await verify(account)).state).to.equal('paid');
      await verify(account);
    });
  }

  it('is fetched anew once for all calls that were turned away together', async () => {
    const account = loggedIn();
    query('token-1').reply(200, paid);
    await verify(account);
    query('token-1').times(3).reply(401, expired);
    loginCall().delay(30).reply(200, token('token-2'));
    query('token-2').times(3).reply(200, paid);
    await Promise.all([1, 2, 3].map(() => verify(account)));
  });

  it('that is turned away twice is not tried a third time', async () => {
    const account = loggedIn();
    query('token-1').reply(401, expired);
    loginCall().reply(200, token('token-2'));
    query('token-2').reply(401, expired);
    expect(await errorOf(verify(account))).to.deep.equal({
      kind: 'refused',
      stage: 'verify',
      message: 'Monnify does not accept its own access token: Access token expired',
    });
  });

  it('that somebody else turns away twice says nothing', async () => {
    const account = loggedIn();
    query('token-1').reply(401, '<html>401</html>');
    loginCall().reply(200, token('token-2'));
    query('token-2').reply(401, '<html>401</html>');
    expect((await errorOf(verify(account))).kind).to.equal('unknown');
  });

  it('that cannot be fetched again leaves nothing done', async () => {
    const account = loggedIn();
    init().reply(401, expired);
    loginCall().reply(500, no('An error occurred'));
    expect((await errorOf(account.create(order, options))).kind).to.equal('retryable');
  });

  const logins: [what: string, status: number, body: object | string, kind: string][] = [
    ['keys it does not know', 401, badKeys, 'refused'],
    ['a closed account', 403, no('Merchant is not active'), 'refused'],
    ['a limit', 429, no('Too many requests'), 'limited'],
    ['a failure', 500, no('An error occurred'), 'retryable'],
    ['a gateway’s page', 502, '<html>502</html>', 'retryable'],
    ['a page that looks like success', 200, '<html>Welcome</html>', 'retryable'],
    ['somebody else’s 401', 401, { error: 'unauthorized' }, 'retryable'],
    ['a wrong address', 404, no('Not found'), 'retryable'],
    ['a redirect', 302, '', 'retryable'],
    ['no token', 200, ok({ expiresIn: 3600 }), 'retryable'],
    ['a token that no header takes', 200, token('a\r\nb'), 'retryable'],
    ['a token that is none', 200, token({} as string), 'retryable'],
  ];
  for (const [what, status, body, kind] of logins) {
    it(`cannot be had because of ${what}: then surely nothing happened`, async () => {
      const account = opened();
      loginCall().reply(status, body as object);
      expect((await errorOf(account.create(order, options))).kind).to.equal(kind);
    });
  }
});
