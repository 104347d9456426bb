import { createServer } from 'node:http';
import { expect } from 'chai';
import { listen } from '../../../../config/listen.ts';
import { flutterwave } from '../../../../domain/providers/flutterwave/provider.ts';
import { errorOf } from '../calls.ts';
import { credentials, good, payment } from './examples.ts';

describe('The time-out of several calls to Flutterwave', () => {
  it('covers all of them together', async () => {
    const pages = { meta: { page_info: { total_pages: 99 } } };
    let calls = 0;
    const server = createServer((_request, response) => {
      const page = JSON.stringify({ ...good([{ id: ++calls, transaction_id: 1 }]), ...pages });
      setTimeout(() => response.end(page), 40);
    });
    await using listening = await listen(server, 0, '127.0.0.1');
    const baseUrl = `http://127.0.0.1:${listening.port}`;
    const account = flutterwave.open({
      credentials,
      baseUrl,
      clock: () => new Date(),
      mode: 'live',
    });
    const startedMs = performance.now();
    const options = { timeoutMs: 2_000, totalMs: 300 };
    const error = await errorOf(account.listDisputes({ payment }, options));
    expect(error).to.include({ kind: 'unknown', message: 'no answer within 300 ms' });
    expect(performance.now() - startedMs).to.be.below(600);
    expect(calls).to.be.greaterThan(1);
  });
});
