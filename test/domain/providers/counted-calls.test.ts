import { createServer } from 'node:http';
import { expect } from 'chai';
import { listen } from '../../../config/listen.ts';
import type { CallOptions, Provider } from '../../../domain/providers/port/provider.ts';
import { ProviderError } from '../../../domain/providers/port/provider-error.ts';
import { providers } from '../../../domain/providers/registry.ts';
import type { Credentials } from '../../../domain/shared/credentials.ts';
import { errorOf } from './calls.ts';
import * as flutterwave from './flutterwave/examples.ts';
import * as monnify from './monnify/examples.ts';
import * as paystack from './paystack/examples.ts';

interface Question {
  adapter: string;
  title: string;
  credentials: Credentials;
  answerTo(path: string): object;
  ask(provider: Provider, options: CallOptions): Promise<unknown>;
  calls: string[];
}

const questions: Question[] = [
  {
    adapter: 'paystack',
    title: 'each page of a list',
    credentials: { secret_key: paystack.secretKey },
    answerTo: (path) => {
      const page = Number(new URLSearchParams(path.split('?')[1]).get('page'));
      return paystack.listed([paystack.refundRow({ id: page })], 3);
    },
    ask: (provider, options) => provider.listRefunds!(paystack.payment, options),
    calls: ['/refund', '/refund', '/refund'],
  },
  {
    adapter: 'flutterwave',
    title: 'each call of a verify',
    credentials: flutterwave.credentials,
    answerTo: (path) =>
      path.startsWith('/transactions/verify')
        ? flutterwave.good(flutterwave.transaction())
        : flutterwave.listed([flutterwave.row()]),
    ask: (provider, options) => provider.verify(flutterwave.reference, options),
    calls: ['/transactions/verify_by_reference', '/transactions'],
  },
  {
    adapter: 'monnify',
    title: 'the login before a call',
    credentials: monnify.credentials,
    answerTo: (path) =>
      path === '/api/v1/auth/login'
        ? monnify.ok({ accessToken: 'token-1', expiresIn: 3_600 })
        : monnify.ok(monnify.transaction()),
    ask: (provider, options) => provider.verify(monnify.reference, options),
    calls: ['/api/v1/auth/login', '/api/v2/merchant/transactions/query'],
  },
];

for (const { adapter, title, credentials, answerTo, ask, calls } of questions) {
  describe(`The calls of a question to ${adapter}`, () => {
    async function askWithin(budget: number) {
      const [counted, sent]: string[][] = [[], []];
      const server = createServer(({ url }, response) => {
        sent!.push(url!.split('?')[0]!);
        response.end(JSON.stringify(answerTo(url!)));
      });
      await using listening = await listen(server, 0, '127.0.0.1');
      const provider = providers[adapter]!.open({
        credentials,
        baseUrl: `http://127.0.0.1:${listening.port}`,
        mode: 'test',
        clock: monnify.clock,
      });
      const spend = async (stage: string) => {
        if (counted!.length === budget)
          throw new ProviderError('limited', stage, 'used up', { isOverBudget: true });
        counted!.push(stage);
      };
      const asked = ask(provider, { timeoutMs: 2_000, spend });
      const error = budget < calls.length ? await errorOf(asked) : void (await asked);
      return { counted, sent, error };
    }

    it(`are counted, ${title} by itself`, async () => {
      const { counted, sent } = await askWithin(calls.length);
      expect(sent).to.deep.equal(calls);
      expect(counted).to.have.length(calls.length);
    });

    it('end where the budget does', async () => {
      const { sent, error } = await askWithin(1);
      expect(error!.kind).to.equal('limited');
      expect(sent).to.deep.equal(calls.slice(0, 1));
    });
  });
}

describe('The time-out of several calls to a provider', () => {
  it('covers all of them together', async () => {
    let calls = 0;
    const server = createServer((_request, response) => {
      const page = flutterwave.listed([{ id: ++calls, transaction_id: 1 }], 99);
      setTimeout(() => response.end(JSON.stringify(page)), 40);
    });
    await using listening = await listen(server, 0, '127.0.0.1');
    const { credentials, clock, payment } = flutterwave;
    const baseUrl = `http://127.0.0.1:${listening.port}`;
    const account = providers.flutterwave!.open({ credentials, baseUrl, clock, mode: 'live' });
    const startedMs = performance.now();
    const options = { timeoutMs: 2_000, totalMs: 300 };
    const error = await errorOf(account.listDisputes({ payment }, options));
    expect(error).to.include({ kind: 'unknown', message: 'no answer within 300 ms' });
    expect(performance.now() - startedMs).to.be.below(600);
    expect(calls).to.be.greaterThan(1);
  });
});
