import { createServer } from 'node:http';
import { expect } from 'chai';
import { listen } from '../../../config/listen.ts';
import type { CallOptions, Provider } from '../../../domain/providers/port/provider.ts';
import { ProviderError } from '../../../domain/providers/port/provider-error.ts';
import { providers } from '../../../domain/providers/registry.ts';
import { errorOf, type Reply } from './calls.ts';
import * as flutterwave from './flutterwave/examples.ts';
import * as monnify from './monnify/examples.ts';
import * as paystack from './paystack/examples.ts';
import { openWithReplies } from './replies.ts';

interface Question {
  adapter: string;
  title: string;
  credentials: Record<string, string>;
  /** Each call, and its answer. */
  calls: [path: string, answer: object][];
  ask(provider: Provider, options: CallOptions): Promise<unknown>;
}

const questions: Question[] = [
  {
    ...{ adapter: 'paystack', title: 'each page of a list', credentials: paystack.credentials },
    calls: [1, 2, 3].map((id) => ['/refund', paystack.listed([paystack.refundRow({ id })], 3)]),
    ask: (provider, options) => provider.listRefunds!(paystack.payment, options),
  },
  {
    ...{ adapter: 'flutterwave', title: 'each call of a verify' },
    credentials: flutterwave.credentials,
    calls: [
      ['/transactions/verify_by_reference', flutterwave.good(flutterwave.transaction())],
      ['/transactions', flutterwave.listed([flutterwave.row()])],
    ],
    ask: (provider, options) => provider.verify(flutterwave.reference, options),
  },
  {
    ...{ adapter: 'monnify', title: 'the login before a call', credentials: monnify.credentials },
    calls: [
      ['/api/v1/auth/login', monnify.ok({ accessToken: 'token-1', expiresIn: 3_600 })],
      ['/api/v2/merchant/transactions/query', monnify.ok(monnify.transaction())],
    ],
    ask: (provider, options) => provider.verify(monnify.reference, options),
  },
];

for (const { adapter, title, credentials, calls, ask } of questions)
  it(`Calls of a question to ${adapter} are counted, ${title} by itself, and end where the budget does`, async () => {
    for (const budget of [calls.length, 1]) {
      const replies = calls.map(([, answer]): Reply => [200, answer]);
      const { account, requests } = openWithReplies(providers[adapter]!, { credentials }, replies);
      let counted = 0;
      const spend = async (stage: string) => {
        if (counted === budget)
          throw new ProviderError('limited', stage, 'used up', { isOverBudget: true });
        counted++;
      };
      const asked = ask(account, { timeoutMs: 2_000, spend });
      if (budget === 1) expect((await errorOf(asked)).kind).to.equal('limited');
      else await asked;
      const sent = requests.map((request) => request.split(/[ ?]/)[1]);
      expect(sent).to.deep.equal(calls.slice(0, budget).map(([path]) => path));
      expect(counted).to.equal(budget);
    }
  });

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
