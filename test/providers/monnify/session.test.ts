import { createServer, type RequestListener } from 'node:http';
import { expect } from 'chai';
import { listen } from '../../../config/listen.ts';
import { monnify } from '../../../domain/providers/monnify.ts';
import { type Provider, ProviderError } from '../../../domain/providers/provider.ts';
import { closedAddress } from '../stand.ts';
import { errorOf, onTheWire } from '../wire.ts';
import {
  badKeys,
  clock,
  credentials,
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
} from './given.ts';

const token = (accessToken: string, expiresIn = 3600) => ok({ accessToken, expiresIn });
const verify = (account: Provider) => account.verify(reference, options);
const paid = ok(transaction());
const expired = no('Access token expired');

describe("Monnify's access token", () => {
  onTheWire();

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
    ['a form that is not its own', { error: 'invalid_token', error_description: 'Access token expired' }],
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

describe('Monnify, asked whether it accepts keys', () => {
  onTheWire();

  it('accepts them by a login of its own, whatever token is in hand', async () => {
    const account = loggedIn();
    query('token-1').reply(200, paid);
    await verify(account);
    loginCall().reply(200, token('token-2'));
    await account.checkCredentials(options);
    query('token-2').reply(200, paid);
    await verify(account);
  });

  const keys = 'Monnify does not accept the API key and secret key';
  const refused: [status: number, body: object, message: string][] = [
    [401, badKeys, keys],
    [401, no('Unauthorized, supply authorization header'), `${keys}: Unauthorized, supply authorization header`],
    [403, no('Merchant is not active'), 'Merchant is not active'],
  ];
  for (const [status, body, message] of refused) {
    it(`refuses them with ${status} ${JSON.stringify(body)}`, async () => {
      loginCall().reply(status, body);
      expect(await errorOf(opened().checkCredentials(options))).to.deep.equal({ kind: 'refused', stage: 'check', message });
    });
  }

  const odd: [what: string, status: number, body: object | string, kind: string][] = [
    ['a failure', 500, no('An error occurred'), 'unknown'],
    ['a gateway’s page', 502, '<html><h1>502 Bad Gateway</h1></html>', 'unknown'],
    ['a page that looks like success', 200, '<html>Welcome</html>', 'unknown'],
    ['a firewall’s page', 403, '<html>Access denied</html>', 'unknown'],
    ['somebody else’s 401', 401, { error: 'unauthorized' }, 'unknown'],
    ['success without a token', 200, ok({}), 'unknown'],
    ['success that is none', 200, no('Something went wrong'), 'unknown'],
    ['a wrong address', 404, no('Not found'), 'unknown'],
    ['a redirect', 302, '', 'unknown'],
    ['a limit', 429, no('Too many requests'), 'limited'],
  ];
  for (const [what, status, body, kind] of odd) {
    it(`says nothing of them by ${what}`, async () => {
      loginCall().reply(status, body as object);
      expect(await errorOf(opened().checkCredentials(options))).to.include({ kind, stage: 'check' });
    });
  }
});

describe('Monnify, when the line is bad', () => {
  const logIn: RequestListener = (_request, response) => void response.end(JSON.stringify(token('token-1')));

  /** What each call fails with at a server that logs in, and behaves so with everything else; and how many calls came. */
  async function served(behave: RequestListener, timeoutMs: number, login: RequestListener = logIn) {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(request.url!);
      return request.url === '/api/v1/auth/login' ? login(request, response) : behave(request, response);
    });
    await using door = await listen(server, 0, '127.0.0.1');
    const there = monnify({ credentials, baseUrl: `http://127.0.0.1:${door.port}`, clock });
    const startedAt = performance.now();
    const errors = [await errorOf(there.create(order, { timeoutMs })), await errorOf(there.verify(reference, { timeoutMs }))];
    const tookMs = performance.now() - startedAt;
    server.closeAllConnections();
    return { errors, seen, tookMs };
  }

  const unknown: [what: string, behave: RequestListener, message: RegExp][] = [
    ['never answers', () => {}, /^no answer within 250 ms$/],
    ['answers the head and no body', (_request, response) => void response.writeHead(200).flushHeaders(), /^no answer within 250 ms$/],
    ['cuts the connection', (request) => void request.destroy(), /./],
  ];
  for (const [what, behave, message] of unknown) {
    it(`does not know what happened when the provider ${what}`, async () => {
      for (const error of (await served(behave, 250)).errors) {
        expect(error.kind).to.equal('unknown');
        expect(error.message).to.match(message);
      }
    });
  }

  it('knows that nothing happened when the login has no answer, and waits no longer than the call may take', async () => {
    const { errors, seen, tookMs } = await served(
      () => {},
      150,
      () => {},
    );
    expect(errors.map(({ kind }) => kind)).to.deep.equal(['retryable', 'retryable']);
    expect(seen).to.deep.equal(['/api/v1/auth/login', '/api/v1/auth/login']);
    expect(tookMs).to.be.below(1_000);
  });

  it('spends one time-out on the login and the call together', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/api/v1/auth/login') setTimeout(() => logIn(request, response), 700);
    });
    await using door = await listen(server, 0, '127.0.0.1');
    const there = monnify({ credentials, baseUrl: `http://127.0.0.1:${door.port}`, clock });
    const startedAt = performance.now();
    expect((await errorOf(there.verify(reference, { timeoutMs: 1_000 }))).kind).to.equal('unknown');
    expect(performance.now() - startedAt, '700 ms are gone when the call itself begins').to.be.below(1_500);
    server.closeAllConnections();
  });

  it('waits for the login of another call no longer than this call may take, and says that time ran out', async () => {
    const server = createServer(() => {});
    await using door = await listen(server, 0, '127.0.0.1');
    const there = monnify({ credentials, baseUrl: `http://127.0.0.1:${door.port}`, clock });
    const verifyWithin = (timeoutMs: number) => there.verify(reference, { timeoutMs }).catch((error: unknown) => error as ProviderError);
    const patient = verifyWithin(1_500);
    const startedAt = performance.now();
    const impatient = await verifyWithin(100);
    expect(performance.now() - startedAt).to.be.below(1_000);
    for (const error of [impatient, await patient]) {
      expect(error).to.be.instanceOf(ProviderError).with.property('kind', 'retryable');
      expect(error).to.have.property('cause').with.property('name', 'TimeoutError');
    }
    server.closeAllConnections();
  });

  it('does not follow a redirect with a token or the keys', async () => {
    const seen: unknown[] = [];
    await using elsewhere = await listen(
      createServer((request, response) => {
        seen.push(request.headers.authorization);
        response.end(JSON.stringify(token('token-1')));
      }),
      0,
      '127.0.0.1',
    );
    const away: RequestListener = (_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${elsewhere.port}/` }).end();
    };
    expect((await served(away, 2_000)).errors.map(({ kind }) => kind)).to.deep.equal(['unknown', 'unknown']);
    expect((await served(away, 2_000, away)).errors.map(({ kind }) => kind)).to.deep.equal(['retryable', 'retryable']);
    expect(seen).to.deep.equal([]);
  });

  it('knows that nothing happened where nothing listens', async () => {
    const nowhere = monnify({ credentials, baseUrl: await closedAddress(), clock });
    expect((await errorOf(nowhere.create(order, options))).kind).to.equal('retryable');
    expect((await errorOf(nowhere.verify(reference, options))).kind).to.equal('retryable');
    expect((await errorOf(nowhere.checkCredentials(options))).kind).to.equal('retryable');
  });
});
