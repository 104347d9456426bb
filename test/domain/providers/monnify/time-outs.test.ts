import { createServer, type RequestListener } from 'node:http';
import { expect } from 'chai';
import { listen } from '../../../../config/listen.ts';
import { monnify } from '../../../../domain/providers/monnify/provider.ts';
import { ProviderError } from '../../../../domain/providers/provider.ts';
import { errorOf } from '../calls.ts';
import { clock, credentials, ok, order, reference } from './examples.ts';

const token = (accessToken: string, expiresIn = 3600) => ok({ accessToken, expiresIn });

describe('Time-outs and redirects of Monnify’s login', () => {
  const logIn: RequestListener = (_request, response) =>
    void response.end(JSON.stringify(token('token-1')));

  /**
   * What each call fails with at a server that logs in, and behaves so with everything else; and
   * how many calls came.
   */
  async function served(
    behave: RequestListener,
    timeoutMs: number,
    login: RequestListener = logIn,
  ) {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(request.url!);
      return request.url === '/api/v1/auth/login'
        ? login(request, response)
        : behave(request, response);
    });
    await using listening = await listen(server, 0, '127.0.0.1');
    const there = monnify.open({
      credentials,
      baseUrl: `http://127.0.0.1:${listening.port}`,
      clock,
    });
    const startedAt = performance.now();
    const errors = [
      await errorOf(there.create(order, { timeoutMs })),
      await errorOf(there.verify(reference, { timeoutMs })),
    ];
    const tookMs = performance.now() - startedAt;
    server.closeAllConnections();
    return { errors, seen, tookMs };
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
    await using listening = await listen(server, 0, '127.0.0.1');
    const there = monnify.open({
      credentials,
      baseUrl: `http://127.0.0.1:${listening.port}`,
      clock,
    });
    const startedAt = performance.now();
    expect((await errorOf(there.verify(reference, { timeoutMs: 1_000 }))).kind).to.equal('unknown');
    expect(
      performance.now() - startedAt,
      '700 ms are gone when the call itself begins',
    ).to.be.below(1_500);
    server.closeAllConnections();
  });

  it('waits for the login of another call no longer than this call may take, and says that time ran out', async () => {
    const server = createServer(() => {});
    await using listening = await listen(server, 0, '127.0.0.1');
    const there = monnify.open({
      credentials,
      baseUrl: `http://127.0.0.1:${listening.port}`,
      clock,
    });
    const verifyWithin = (timeoutMs: number) =>
      there.verify(reference, { timeoutMs }).catch((error: unknown) => error as ProviderError);
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
    expect((await served(away, 2_000)).errors.map(({ kind }) => kind)).to.deep.equal([
      'unknown',
      'unknown',
    ]);
    expect((await served(away, 2_000, away)).errors.map(({ kind }) => kind)).to.deep.equal([
      'retryable',
      'retryable',
    ]);
    expect(seen).to.deep.equal([]);
  });
});
