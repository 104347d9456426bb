import { createServer, type RequestListener } from 'node:http';
import { expect } from 'chai';
import { listen } from '../../../config/listen.ts';
import { flutterwave } from '../../../domain/providers/flutterwave/provider.ts';
import { monnify } from '../../../domain/providers/monnify/provider.ts';
import { paystack } from '../../../domain/providers/paystack/provider.ts';
import type { ProviderDefinition } from '../../../domain/providers/port/definition.ts';
import type { Provider } from '../../../domain/providers/port/provider.ts';
import type { ProviderErrorKind } from '../../../domain/providers/port/provider-error.ts';
import type { Credentials } from '../../../domain/shared/credentials.ts';
import { errorOf, type Reply } from './calls.ts';
import { disputeResponse, order as exampleOrder, refundId } from './examples.ts';
import { bad, credentials as flutterwaveCredentials } from './flutterwave/examples.ts';
import { clock, credentials as monnifyCredentials, no, ok } from './monnify/examples.ts';
import { payment, credentials as paystackCredentials } from './paystack/examples.ts';
import { closedAddress } from './serving.ts';

interface FailureWords {
  /** With status 200 or 500. */
  failure: object;
  /** With status 401. */
  wrongKey: object;
  /** The path that logs in, and its answer, where calls need a login. */
  login?: { path: string; answer: object };
}

function describeFailures(
  definition: ProviderDefinition,
  credentials: Credentials,
  words: FailureWords,
): void {
  const { login } = words;
  const open = (baseUrl: string) => definition.open({ credentials, baseUrl, clock, mode: 'live' });

  async function errorsAt(behave: RequestListener, timeoutMs = 2_000) {
    const working = createServer((request, response) =>
      login && request.url === login.path
        ? response.end(JSON.stringify(login.answer))
        : behave(request, response),
    );
    const broken = createServer(behave); // a login is itself the check
    await using server = await listen(working, 0, '127.0.0.1');
    await using other = await listen(broken, 0, '127.0.0.1');
    const calls = callsOf(definition, open(`http://127.0.0.1:${server.port}`), timeoutMs);
    const check = open(`http://127.0.0.1:${other.port}`).checkCredentials({ timeoutMs });
    const errors = await Promise.all([...calls, check].map(errorOf));
    for (const each of [working, broken]) each.closeAllConnections();
    return errors;
  }

  const replying =
    ([status, body]: Reply, headers: Record<string, string> = {}): RequestListener =>
    (_request, response) =>
      void response
        .writeHead(status, headers)
        .end(typeof body === 'string' ? body : JSON.stringify(body));

  describe(`Every call to ${definition.name}`, () => {
    const behaviours: [what: string, behave: RequestListener, message: RegExp][] = [
      ['never answers', () => {}, /^no answer within 250 ms$/],
      [
        'answers the head and no body',
        (_request, response) => void response.writeHead(200).flushHeaders(),
        /^no answer within 250 ms$/,
      ],
      ['cuts the connection', (request) => void request.destroy(), /./],
      ['breaks off in the body', (_request, response) => breakOff(response), /./],
    ];
    for (const [what, behave, message] of behaviours) {
      it(`has an unknown outcome when the server ${what}`, async () => {
        for (const error of await errorsAt(behave, 250)) {
          expect(error.kind, error.stage).to.equal('unknown');
          expect(error.message).to.match(message);
        }
      });
    }

    const replies: [what: string, reply: Reply, kind: ProviderErrorKind][] = [
      ['a failure of its own', [500, words.failure], 'unknown'],
      ['a failure of its own under 200', [200, words.failure], 'unknown'],
      ['a gateway’s page', [502, '<html>Bad gateway</html>'], 'unknown'],
      ['a 503 without a body', [503, ''], 'unknown'],
      ['a firewall’s page', [403, '<html>Access denied</html>'], 'unknown'],
      ['a 404 page', [404, '<html>Not found</html>'], 'unknown'],
      ['a 404 without a body', [404, ''], 'unknown'],
      ['another server’s 404', [404, { error: 'not found' }], 'unknown'],
      ['another server’s 401', [401, { error: 'unauthorized' }], 'unknown'],
      ['another server’s 400', [400, { error: 'bad request' }], 'unknown'],
      ['a page under 200', [200, '<html>Welcome</html>'], 'unknown'],
      ['nothing under 200', [200, ''], 'unknown'],
      ['a bare list under 200', [200, [words.failure]], 'unknown'],
      ['its own "wrong key"', [401, words.wrongKey], 'refused'],
      ['its own "too many calls"', [429, words.failure], 'limited'],
      ['a proxy’s "too many calls"', [429, '<html>Too many requests</html>'], 'limited'],
    ];
    for (const [what, reply, kind] of replies) {
      it(`is ${kind} after ${what}`, async () => {
        for (const error of await errorsAt(replying(reply, { 'retry-after': '7' }))) {
          expect(error.kind, error.stage).to.equal(kind);
          if (kind === 'limited') expect(error.retryAfterMs).to.equal(7_000);
        }
      });
    }

    it('is unknown after a body of more than 2 MB, which is not read to its end', async () => {
      const long: Reply = [200, ' '.repeat(2 * 1024 * 1024 + 1)];
      for (const { kind, message } of await errorsAt(replying(long), 10_000)) {
        expect(kind).to.equal('unknown');
        // Lists that are streamed are longer, and end where they are no JSON.
        expect(message).to.match(/longer than 2097152 bytes|not a whole JSON object/);
      }
    });

    it('follows no redirect with the keys', async () => {
      const seen: unknown[] = [];
      const elsewhere = createServer((request, response) => {
        seen.push(request.headers.authorization);
        response.end('{}');
      });
      await using server = await listen(elsewhere, 0, '127.0.0.1');
      const location = `http://127.0.0.1:${server.port}/`;
      for (const { kind } of await errorsAt(replying([302, ''], { location })))
        expect(kind).to.equal('unknown');
      expect(seen).to.deep.equal([]);
    });

    it('is retryable where nothing listens, or the name does not resolve', async () => {
      for (const baseUrl of [await closedAddress(), 'http://provider.invalid']) {
        const there = open(baseUrl);
        const check = there.checkCredentials({ timeoutMs: 2_000 });
        const calls = [...callsOf(definition, there, 2_000), check];
        for (const { kind } of await Promise.all(calls.map(errorOf)))
          expect(kind, baseUrl).to.equal('retryable');
      }
    });
  });
}

function breakOff(response: Parameters<RequestListener>[1]): void {
  response.writeHead(200, { 'content-length': '500' }).write('{"status":');
  setTimeout(() => response.destroy(), 10);
}

/** Every call that the provider can be asked, except the check of its credentials. */
function callsOf({ capabilities }: ProviderDefinition, there: Provider, timeoutMs: number) {
  const options = { timeoutMs };
  const { reference, capturedAt } = payment;
  const order = { ...exampleOrder, name: null, phone: null, description: null };
  const span = { from: capturedAt, to: capturedAt, cursor: null };
  return [
    there.create(order, options),
    there.verify(reference, options),
    there.refund({ ...payment, refundId, amountKobo: 10_000, reason: 'Late' }, options),
    there.findRefund({ refundId, providerRefundId: '1', payment }, options),
    there.listRefunds
      ? there.listRefunds(payment, options)
      : there.listAccountRefunds!({ from: capturedAt, page: 1 }, options),
    there.listPayments(span, options),
    there.listLines({ providerSettlementId: '1', cursor: null }, options),
    ...(capabilities.disputes === 'api'
      ? [there.listDisputes({ payment }, options), there.respondToDispute(disputeResponse, options)]
      : []),
    capabilities.settlements === 'list'
      ? there.listSettlements(span, options)
      : there.findSettlement('1', options),
  ];
}

describeFailures(paystack, paystackCredentials, {
  failure: { status: false, message: 'Something went wrong' },
  wrongKey: { status: false, message: 'Invalid key' },
});
describeFailures(flutterwave, flutterwaveCredentials, {
  failure: bad('Something went wrong'),
  wrongKey: bad('Authorization required'),
});
describeFailures(monnify, monnifyCredentials, {
  failure: no('Something went wrong'),
  wrongKey: no('Access token expired'),
  login: { path: '/api/v1/auth/login', answer: ok({ accessToken: 'token-1', expiresIn: 3600 }) },
});
