import { createServer, type RequestListener } from 'node:http';
import { expect } from 'chai';
import nock from 'nock';
import { listen } from '../../../../config/listen.ts';
import { monnify } from '../../../../domain/providers/monnify/provider.ts';
import type { Provider } from '../../../../domain/providers/port/provider.ts';
import { ProviderError } from '../../../../domain/providers/port/provider-error.ts';
import { errorOf, type Reply, useNock } from '../calls.ts';
import { options, order, reference } from '../examples.ts';
import { baseUrl, clock, credentials, no, ok, transaction } from './examples.ts';

/** The header of a login: `MK_TEST_JRQAZRFD2W:91MUDL9N6U3BQRXBQ2PJ9M0PW4J22M1Y`. */
const basic = 'Basic TUtfVEVTVF9KUlFBWlJGRDJXOjkxTVVETDlONlUzQlFSWEJRMlBKOU0wUFc0SjIyTTFZ';
const login = () =>
  nock(baseUrl, { reqheaders: { authorization: basic } }).post('/api/v1/auth/login');
const query = (token: string) =>
  nock(baseUrl, { reqheaders: { authorization: `Bearer ${token}` } }).get(
    `/api/v2/merchant/transactions/query?paymentReference=${reference}`,
  );
const open = (now = clock, url = baseUrl) =>
  monnify.open({ credentials, baseUrl: url, clock: now, mode: 'live' });
const token = (accessToken: unknown, expiresIn: unknown = 3600) => ok({ accessToken, expiresIn });
const verify = (account: Provider) => account.verify(reference, options);
const paid = ok(transaction());
const expired = no('Access token expired');
/** Answers a login with a token, and the calls with it by these statuses and bodies. */
const logIn = (name: string, answers: Reply[] = [[200, paid]], expiresIn: unknown = 3600) => {
  login().reply(200, token(name, expiresIn));
  for (const [status, body] of answers) query(name).reply(status, body);
};
const twice = (...reply: Reply): Reply[] => [reply, reply];

describe("Monnify's access token", () => {
  useNock();

  it('is used until a minute before it expires, by the clock of the account', async () => {
    let now = new Date('2026-03-02T09:20:00Z');
    const account = open(() => now);
    logIn('token-1', twice(200, paid), 3567);
    await verify(account);
    now = new Date(now.getTime() + 3_506_999);
    await verify(account);
    now = new Date(now.getTime() + 1);
    logIn('token-2');
    await verify(account);
  });

  it('is used once where it expires within a minute, or its expiry cannot be read', async () => {
    for (const expiresIn of [60, 0, -5, null, 'soon', {}]) {
      const account = open();
      for (const name of ['token-1', 'token-2']) {
        logIn(name, [[200, paid]], expiresIn);
        await verify(account);
      }
    }
  });

  it('is requested once for concurrent calls, at first and after a 401', async () => {
    const account = open();
    login().delay(30).reply(200, token('token-1'));
    query('token-1').times(3).reply(200, paid);
    await Promise.all([1, 2, 3].map(() => verify(account)));
    query('token-1').times(3).reply(401, expired);
    login().delay(30).reply(200, token('token-2'));
    query('token-2').times(3).reply(200, paid);
    await Promise.all([1, 2, 3].map(() => verify(account)));
  });

  it('is requested by another call where the budget of the first one allows no login', async () => {
    const account = open();
    const refused = Promise.withResolvers<void>();
    const spend = async () => {
      await refused.promise;
      throw new ProviderError('limited', 'login', 'used up', { isOverBudget: true });
    };
    const first = errorOf(account.verify(reference, { ...options, spend }));
    logIn('token-1');
    const second = verify(account);
    refused.resolve();
    expect((await first).kind).to.equal('limited');
    expect((await second).state).to.equal('paid');
  });

  it('is requested again after a login that failed', async () => {
    const account = open();
    login().reply(503, '');
    expect((await errorOf(verify(account))).kind).to.equal('retryable');
    logIn('token-1');
    await verify(account);
  });

  it('is replaced after any 401, and the call is made once more', async () => {
    const answers = [
      expired,
      no('Cannot convert access token to json', 99),
      { error: 'invalid_token', error_description: 'Access token expired' },
      '<html>401</html>',
    ];
    for (const body of answers) {
      const account = open();
      logIn('token-1', [[401, body]]);
      logIn('token-2', twice(200, paid));
      expect((await verify(account)).state).to.equal('paid');
      await verify(account);
    }
  });

  it('is not replaced a second time for one call', async () => {
    const message = 'Monnify does not accept its own access token: Access token expired';
    const unreadable = "the answer is not one of Monnify's (HTTP 401)";
    const rows: [body: object | string, kind: string, message: string][] = [
      [expired, 'refused', message],
      ['<html>401</html>', 'unknown', unreadable],
    ];
    for (const [body, kind, text] of rows) {
      for (const name of ['token-1', 'token-2']) logIn(name, [[401, body]]);
      expect(await errorOf(verify(open()))).to.include({ kind, stage: 'verify', message: text });
    }
  });

  it('is fetched by every check of the credentials, and used from then on', async () => {
    const account = open();
    for (const name of ['token-1', 'token-2']) {
      login().reply(200, token(name));
      await account.checkCredentials(options);
      query(name).reply(200, paid);
      await verify(account);
    }
  });

  it("leaves nothing done where it cannot be had, and a check names Monnify's reason", async () => {
    const keys = 'Monnify does not accept the API key and secret key';
    const noHeader = 'Unauthorized, supply authorization header';
    const inactive = 'Merchant is not active';
    const logins: [reply: Reply, kind: string, checkKind?: string, why?: string][] = [
      [[401, no('', 99)], 'refused', 'refused', keys],
      [[401, no(noHeader)], 'refused', 'refused', `${keys}: ${noHeader}`],
      [[403, no(inactive)], 'refused', 'refused', inactive],
      [[429, no('Too many requests')], 'limited'],
      [[500, no('An error occurred')], 'retryable', 'unknown'],
      [[502, '<html>502</html>'], 'retryable', 'unknown'],
      [[200, '<html>Welcome</html>'], 'retryable', 'unknown'],
      [[401, { error: 'unauthorized' }], 'retryable', 'unknown'],
      [[404, no('Not found')], 'retryable', 'unknown'],
      [[302, ''], 'retryable', 'unknown'],
      [[200, ok({ expiresIn: 3600 })], 'retryable', 'unknown'],
      [[200, token('a\r\nb')], 'retryable', 'unknown'],
      [[200, token({})], 'retryable', 'unknown'],
    ];
    for (const [[status, body], kind, checkKind = kind, why] of logins) {
      const name = JSON.stringify([status, body]);
      login().times(2).reply(status, body);
      expect((await errorOf(open().create(order, options))).kind, name).to.equal(kind);
      const error = await errorOf(open().checkCredentials(options));
      expect(error, name).to.include({ kind: checkKind, stage: 'check' });
      if (why) expect(error.message).to.equal(why);
    }
  });

  it('leaves nothing done where it expired and the next login fails', async () => {
    const init = nock(baseUrl).post('/api/v1/merchant/transactions/init-transaction');
    login().reply(200, token('token-1'));
    init.reply(401, expired);
    login().reply(500, no('An error occurred'));
    expect((await errorOf(open().create(order, options))).kind).to.equal('retryable');
  });
});

describe("The time-out of Monnify's login", () => {
  async function atServer(
    logIn: RequestListener,
    test: (account: Provider, requests: string[]) => Promise<void>,
  ): Promise<void> {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url!);
      if (request.url === '/api/v1/auth/login') logIn(request, response);
    });
    await using listening = await listen(server, 0, '127.0.0.1');
    await test(open(clock, `http://127.0.0.1:${listening.port}`), requests);
    server.closeAllConnections();
  }
  it('is shared with the call', async () => {
    const slowly: RequestListener = (_request, response) =>
      void setTimeout(() => response.end(JSON.stringify(token('token-1'))), 700);
    await atServer(slowly, async (account) => {
      const startedMs = performance.now();
      const error = await errorOf(account.verify(reference, { timeoutMs: 1_000 }));
      expect(error.kind).to.equal('unknown');
      expect(performance.now() - startedMs).to.be.below(1_500);
    });
  });

  const silent: RequestListener = () => {};

  it('is that of the call, which was not sent, also where it waits for the login of another', async () => {
    await atServer(silent, async (account, requests) => {
      const createWithin = (timeoutMs: number) =>
        account.create(order, { timeoutMs }).catch((error: unknown) => error as ProviderError);
      const startedMs = performance.now();
      const first = createWithin(600);
      const second = await createWithin(100);
      expect(performance.now() - startedMs).to.be.below(500);
      for (const error of [second, await first]) {
        expect(error).to.be.instanceOf(ProviderError).with.property('kind', 'retryable');
        expect(error).to.have.property('cause').with.property('name', 'TimeoutError');
      }
      expect(performance.now() - startedMs).to.be.below(1_500);
      expect(requests).to.deep.equal(['/api/v1/auth/login']);
    });
  });
});
